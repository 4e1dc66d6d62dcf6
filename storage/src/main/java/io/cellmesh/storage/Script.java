package io.cellmesh.storage;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Statements that go to the server in one round trip, with the values to bind in their order. What
 * comes from outside is bound; only names and integers of our own are part of the text.
 */
final class Script {
  private final StringBuilder text = new StringBuilder(4096);
  private final List<Object> values = new ArrayList<>();

  Script sql(String sql) {
    text.append(sql);
    return this;
  }

  Script number(long value) {
    text.append(value);
    return this;
  }

  Script bind(byte[] value) {
    text.append('?');
    values.add(value);
    return this;
  }

  Script bind(String value) {
    text.append('?');
    values.add(value);
    return this;
  }

  PreparedStatement prepare(Connection connection) throws SQLException {
    var statement = connection.prepareStatement(text.toString());
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) instanceof byte[] bytes) {
        statement.setBytes(i + 1, bytes);
      } else {
        statement.setString(i + 1, (String) values.get(i));
      }
    }
    return statement;
  }
}
