package io.cellmesh.operations.status;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.storage.ConnectionCallback;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.Parallel;
import io.cellmesh.storage.Pools;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** How the MySQL servers are: a master takes writes, a minion follows its master. */
final class ServerStatus {
  /** A commit that waits so long waits for room on a disk, or for a disk that does not answer. */
  private static final int STUCK_SECONDS = 10;

  private final Pools pools;
  private final Set<Server> answered = ConcurrentHashMap.newKeySet();

  ServerStatus(Pools pools) {
    this.pools = pools;
  }

  List<Part> of(DataCenter dc) {
    var clusters = dc.topology().clusters();
    var followers = clusters.stream().flatMap(cluster -> cluster.minions().stream()).toList();
    var minions = Parallel.ask(followers, minion -> ask(minion, ServerStatus::minion)).iterator();
    // Asked last: what a minion has from its master, the master then has as well.
    var masters = Parallel.ask(clusters, this::master).iterator();
    var parts = new ArrayList<Part>();
    for (var cluster : clusters) {
      var own = new LinkedHashMap<Server, Answer>();
      cluster.minions().forEach(minion -> own.put(minion, minions.next()));
      parts.addAll(of(dc, cluster, masters.next(), own));
    }
    return parts;
  }

  /** Whether it has let somebody sign on when it was asked how it is. */
  boolean hasAnswered(Server server) {
    return answered.contains(server);
  }

  private Answer master(StorageCluster cluster) {
    return ask(cluster.master(), c -> master(c, "shards " + cluster.shards()));
  }

  private static List<Part> of(
      DataCenter dc, StorageCluster cluster, Answer master, Map<Server, Answer> minions) {
    var judged = masterOf(cluster, master, minions);
    var parts = new ArrayList<Part>();
    parts.add(part(dc, cluster.name() + " master", cluster.master(), judged));
    minions.forEach(
        (minion, answer) ->
            parts.add(part(dc, cluster.name() + " minion", minion, minionOf(master, answer))));
    return parts;
  }

  private Answer ask(Server server, ConnectionCallback<Answer> question) {
    try (var connection = pools.open(server)) {
      answered.add(server);
      var answer = question.run(connection);
      var stuck = stuck(connection);
      return new Answer(
          answer.up && stuck.isEmpty(),
          stuck.orElse(answer.detail),
          Optional.of(History.of(connection)));
    } catch (SQLException e) {
      return new Answer(false, "does not answer: " + MySqlErrors.explain(e));
    } catch (DeploymentException e) {
      return new Answer(false, "not known: " + e.getMessage());
    }
  }

  /**
   * Whether it answers and commits nothing. With a full disk MySQL fails no commit: the first whose
   * event does not fit into the binlog looks for room once a minute, and all others wait behind it.
   * A user without PROCESS sees no such thing.
   */
  private static Optional<String> stuck(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT MAX(time) FROM information_schema.processlist WHERE state = 'waiting for handler commit'")) {
      rows.next();
      int seconds = rows.getInt(1);
      return seconds < STUCK_SECONDS
          ? Optional.empty()
          : Optional.of(
              "commits nothing for %d s: its error log says whether its disk is full; make room, and it goes on within a minute"
                  .formatted(seconds));
    }
  }

  private static Part part(DataCenter dc, String name, Server server, Answer answer) {
    return new Part(dc.name(), name, server.address(), answer.up, answer.detail);
  }

  /** A minion that runs well by its own word may have another history than its master. */
  private static Answer minionOf(Answer master, Answer minion) {
    return minion
        .history
        .flatMap(own -> master.history.flatMap(own::partsFrom))
        .map(why -> new Answer(false, minion.up ? why : why + "; " + minion.detail))
        .orElse(minion);
  }

  /** A master that was restored from a backup must not be opened. */
  private static Answer masterOf(
      StorageCluster cluster, Answer master, Map<Server, Answer> minions) {
    for (var minion : minions.entrySet()) {
      var other = minion.getValue().history;
      var lost = master.history.flatMap(own -> other.map(own::lost)).orElse(GtidSet.EMPTY);
      if (!lost.isEmpty()) {
        return new Answer(
            false,
            "lacks %d transactions that it once committed itself and %s has (%s), so it was restored from a backup: run `cellmesh promote --cluster %s --to %s`"
                .formatted(
                    lost.count(),
                    minion.getKey().address(),
                    lost.brief(),
                    cluster.name(),
                    minion.getKey().address()));
      }
    }
    return master;
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

  /**
   * @param history empty if it did not answer
   */
  private record Answer(boolean up, String detail, Optional<History> history) {
    Answer(boolean up, String detail) {
      this(up, detail, Optional.empty());
    }
  }
}
