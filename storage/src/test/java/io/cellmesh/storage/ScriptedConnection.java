package io.cellmesh.storage;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;

/** A connection to no server, which gives each statement the answer that a test has for it. */
public final class ScriptedConnection {
  private final Server server;

  /** What answers in place of MySQL. */
  @FunctionalInterface
  public interface Server {
    /**
     * Answers a statement.
     *
     * @return {@link Rows} of a query, the number of rows of a change
     */
    Object answer(String sql) throws SQLException;
  }

  /** What a query finds. */
  public record Rows(List<String> columns, List<List<Object>> rows) {
    /** One row. */
    public static Rows of(List<String> columns, Object... values) {
      return new Rows(columns, List.of(List.of(values)));
    }
  }

  private ScriptedConnection(Server server) {
    this.server = server;
  }

  /** To a server of one's own. */
  public static Connection to(Server server) {
    return proxy(Connection.class, new ScriptedConnection(server)::connection);
  }

  private Object connection(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "prepareStatement" -> statement((String) arguments[0]);
      case "createStatement" -> statement("");
      default -> null;
    };
  }

  /**
   * @param prepared empty for one that is told its text when it is run
   */
  private PreparedStatement statement(String prepared) {
    return proxy(
        PreparedStatement.class,
        (proxy, method, arguments) -> {
          if (!method.getName().startsWith("execute")) {
            return null;
          }
          var answer = server.answer(arguments == null ? prepared : (String) arguments[0]);
          return answer instanceof Rows rows ? found(rows) : answer;
        });
  }

  private static ResultSet found(Rows found) {
    var rows = found.rows().iterator();
    return proxy(ResultSet.class, new RowHandler(found.columns(), rows));
  }

  private static final class RowHandler implements InvocationHandler {
    private final List<String> columns;
    private final Iterator<List<Object>> rows;
    private List<Object> row;

    RowHandler(List<String> columns, Iterator<List<Object>> rows) {
      this.columns = columns;
      this.rows = rows;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return switch (method.getName()) {
        case "next" -> {
          boolean more = rows.hasNext();
          row = more ? rows.next() : null;
          yield more;
        }
        case "getMetaData" -> proxy(ResultSetMetaData.class, this::metaData);
        case "close" -> null;
        default -> row.get(index(arguments[0]));
      };
    }

    private Object metaData(Object proxy, Method method, Object[] arguments) {
      return method.getName().equals("getColumnCount")
          ? (Object) columns.size()
          : columns.get((int) arguments[0] - 1);
    }

    private int index(Object column) {
      return column instanceof Integer number ? number - 1 : columns.indexOf(column);
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
