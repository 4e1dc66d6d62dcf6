package io.cellmesh.storage.grants;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The accounts that a server has. Whoever asks must be able to read the database {@code mysql}. */
public final class Accounts {
  private Accounts() {}

  /** Finds those of a user, one for each pattern of hosts that it signs on from. */
  public static List<Account> of(Connection connection, String user) throws SQLException {
    try (var query = connection.prepareStatement("SELECT Host FROM mysql.user WHERE User = ?")) {
      query.setString(1, user);
      var accounts = new ArrayList<Account>();
      try (var found = query.executeQuery()) {
        while (found.next()) {
          accounts.add(new Account(user, found.getString(1), false));
        }
      }
      return accounts;
    }
  }
}
