package io.cellmesh.operations.status;

import io.cellmesh.cell.GtidSet;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Which transactions a server has, by which it is told whether it is what its cluster takes it for.
 *
 * @param uuid its {@code server_uuid}, which the GTIDs of what it commits first begin with
 * @param executed what it has committed
 */
record History(String uuid, GtidSet executed) {
  static History of(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT @@server_uuid, @@GLOBAL.gtid_executed")) {
      row.next();
      return new History(row.getString(1), GtidSet.parse(row.getString(2)));
    }
  }

  /** What it once committed itself and lacks, while another has it: it comes from a backup. */
  GtidSet lost(History other) {
    return other.executed.of(uuid).without(executed);
  }

  /**
   * Why a minion with this history is none of a master's, in words; empty if it is one.
   *
   * @param master asked after it
   */
  Optional<String> partsFrom(History master) {
    var lost = lost(master);
    if (!lost.isEmpty()) {
      return Optional.of(
          "lacks %d transactions that it once committed itself (%s): it was restored from a backup, and never gets them by following"
              .formatted(lost.count(), lost.brief()));
    }
    var astray = executed.without(master.executed);
    return astray.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "has %d transactions that its master lacks (%s)"
                .formatted(astray.count(), astray.brief()));
  }
}
