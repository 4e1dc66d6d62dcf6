package io.cellmesh.operations.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.connect.client.ConnectClient;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The connector of a pass, while indexes of it are dropped: it goes on with those that live, or
 * goes with the last of them.
 *
 * @param topic that an index has its entries in
 */
record PassConnector(ConnectClient connect, String name, Function<IndexDefinition, String> topic) {
  private static final Duration START = Duration.ofSeconds(90);

  /** The indexes of the pass that live, as they are now. */
  @FunctionalInterface
  interface Living {
    List<IndexDefinition> read() throws SQLException;
  }

  /**
   * Gives it the indexes that live, or deletes it if none does. Another drop may do so at the same
   * time: what is put from an older look would bring back what that one has taken away, so it is
   * looked again.
   *
   * @return the indexes that live
   */
  List<IndexDefinition> follow(Living indexes) throws SQLException {
    var living = indexes.read();
    if (connect.status(name).isEmpty()) {
      return living;
    }
    while (!living.isEmpty()) {
      put(living);
      var now = indexes.read();
      if (now.equals(living)) {
        connect.awaitRunning(name, START);
        return living;
      }
      living = now;
    }
    connect.delete(name);
    return living;
  }

  private void put(List<IndexDefinition> living) {
    var config = new HashMap<>(connect.config(name));
    config.put("indexes", IndexDefinition.toYaml(living));
    config.put("topics", living.stream().map(topic).collect(Collectors.joining(",")));
    connect.put(name, config);
  }
}
