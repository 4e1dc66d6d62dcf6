package io.cellmesh.stack.chaos;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.devstack.MySqlServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Looks into the tables of {@link ChaosIndex}, and knows how long cells take to be in it. An entry
 * that a later cell of the row has taken further counts: what it leaves has the later version.
 */
final class IndexDelays implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofMillis(500);

  /** At a time; those behind them have waited less. */
  private static final int LOOKED_FOR = 100;

  private final Topology topology;
  private final Function<String, MySqlServer> masters;
  private final Awaited cells = new Awaited();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

  private IndexDelays(Topology topology, Function<String, MySqlServer> masters) {
    this.topology = topology;
    this.masters = masters;
  }

  /**
   * Begins to watch.
   *
   * @param masters the master of a cluster, by the cluster's name, at the time of asking
   */
  static IndexDelays watch(Topology topology, Function<String, MySqlServer> masters) {
    var delays = new IndexDelays(topology, masters);
    delays.clock.scheduleWithFixedDelay(
        delays::look, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    return delays;
  }

  Awaited cells() {
    return cells;
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }

  private void look() {
    var oldest = cells.first(LOOKED_FOR);
    for (var cluster : topology.clusters()) {
      var union =
          oldest.stream()
              .filter(cell -> cluster.shards().contains(shard(cell)))
              .map(this::entry)
              .collect(Collectors.joining(" UNION ALL "));
      if (!union.isEmpty()) {
        look(cluster, union);
      }
    }
  }

  private void look(StorageCluster cluster, String union) {
    try (var connection = masters.apply(cluster.name()).connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(union)) {
      while (rows.next()) {
        cells.arrived(UUID.fromString(rows.getString(1)), rows.getLong(2));
      }
    } catch (SQLException | RuntimeException e) {
      // A master that does not answer, or is just being replaced, is asked again.
    }
  }

  private int shard(Awaited.Cell cell) {
    return topology.shards().of(ChaosIndex.owner(cell.ref()));
  }

  private String entry(Awaited.Cell cell) {
    return "SELECT '%1$s', %2$d FROM %3$s.%4$s WHERE owner = '%5$s' AND row_key = UUID_TO_BIN('%1$s') AND version_1 >= %2$d"
        .formatted(
            cell.row(),
            cell.ref(),
            Names.database(topology.instance(), shard(cell)),
            ChaosIndex.FILE.definition().tableName(),
            ChaosIndex.owner(cell.ref()));
  }
}
