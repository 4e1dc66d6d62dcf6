package io.cellmesh.cli.status;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cli.deployment.DataCenter;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.Pools;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** How the MySQL servers are: a master takes writes, a minion follows its master. */
final class ServerStatus {
  private final Pools pools;

  ServerStatus(Pools pools) {
    this.pools = pools;
  }

  List<Part> of(DataCenter dc) {
    var parts = new ArrayList<Part>();
    for (var cluster : dc.topology().clusters()) {
      var shards = "shards " + cluster.shards();
      parts.add(part(dc, cluster.name() + " master", cluster.master(), c -> master(c, shards)));
      for (var minion : cluster.minions()) {
        parts.add(part(dc, cluster.name() + " minion", minion, ServerStatus::minion));
      }
    }
    return parts;
  }

  private Part part(DataCenter dc, String name, Server server, Question question) {
    Answer answer;
    try (var connection = pools.open(server)) {
      answer = question.ask(connection);
    } catch (SQLException e) {
      answer = new Answer(false, "does not answer: " + MySqlErrors.explain(e));
    }
    return new Part(dc.name(), name, server.address(), answer.up, answer.detail);
  }

  private static Answer master(Connection connection, String detail) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT @@GLOBAL.read_only")) {
      rows.next();
      boolean open = !rows.getBoolean(1);
      return new Answer(
          open,
          open
              ? detail
              : "read-only, so its cells wait; if it is the right master, run `cellmesh promote` with it");
    }
  }

  private static Answer minion(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var status = statement.executeQuery("SHOW REPLICA STATUS")) {
      if (!status.next()) {
        return new Answer(false, "replicates from nobody");
      }
      var trouble = new ArrayList<String>();
      thread(status, "Replica_IO_Running", "receives nothing", "Last_IO_Error", trouble);
      thread(status, "Replica_SQL_Running", "applies nothing", "Last_SQL_Error", trouble);
      return trouble.isEmpty()
          ? new Answer(true, "%s s behind".formatted(status.getString("Seconds_Behind_Source")))
          : new Answer(false, String.join("; ", trouble));
    }
  }

  /** What is wrong with one of a minion's two threads, if anything. */
  private static void thread(
      ResultSet status, String running, String trouble, String error, List<String> to)
      throws SQLException {
    var state = status.getString(running);
    if (!"Yes".equals(state)) {
      var why = status.getString(error).lines().findFirst().orElse("");
      // Not yet an error while it connects for the first time.
      var what = "Connecting".equals(state) ? trouble + ", asks its master again" : trouble;
      to.add(why.isEmpty() ? what : what + ": " + why);
    }
  }

  private record Answer(boolean up, String detail) {}

  private interface Question {
    Answer ask(Connection connection) throws SQLException;
  }
}
