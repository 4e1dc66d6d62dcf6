package io.cellmesh.bench;

import io.cellmesh.cell.Topology;
import io.cellmesh.devstack.MySqlServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * What lies before the origin's log: cells are committed on a master of the origin, and the shipped
 * source reads that, for it has no minion.
 */
final class WholeWay implements AutoCloseable {
  /** Between commits: the sink's, too, hold the cells that came meanwhile. */
  private static final Duration COMMIT_EVERY = Duration.ofMillis(10);

  private static final Duration START = Duration.ofSeconds(90);
  private static final String CONNECTOR = "origin-source";

  private final MeshServers servers;
  private final Topology origin;
  private final Topology.StorageCluster cluster;
  private final TripCells cells;
  private final PacedTransactions writer;

  private WholeWay(MeshServers servers, TripCells cells) {
    this.servers = servers;
    this.origin = servers.topology(MeshServers.ORIGIN);
    this.cluster = origin.clusters().get(0);
    this.cells = cells;
    this.writer = new PacedTransactions(origin, master(), COMMIT_EVERY.toNanos());
  }

  /** Starts the source of the first cluster, as shipped but for TLS. */
  static WholeWay start(MeshServers servers, ShippedConnector source, TripCells cells)
      throws Exception {
    var way = new WholeWay(servers, cells);
    var bootstrap = servers.broker(MeshServers.ORIGIN).bootstrap();
    var config = new HashMap<>(source.render(way.origin, bootstrap));
    config.put("mysql.ssl.mode", "DISABLED");
    var client = servers.stack().worker(MeshServers.ORIGIN).client();
    client.create(CONNECTOR, config, "RUNNING");
    client.awaitRunning(CONNECTOR, START);
    return way;
  }

  private MySqlServer master() {
    return servers.stack().cluster(MeshServers.ORIGIN, cluster.name()).master();
  }

  /** Commits cells at the rate of a stream, and says when each commit returned. */
  Map<UUID, Long> write(int seconds) throws Exception {
    var trips = new ArrayList<BenchCell>();
    var rows = new ArrayList<EntityRow>();
    for (int i = 0; i < MeshHarness.RATE * seconds; i++) {
      var trip = cells.next(row -> cluster.shards().contains(origin.shards().of(row)));
      trips.add(trip);
      rows.add(EntityRow.of(trip, origin.shards()));
    }
    var committed = writer.write(rows, MeshHarness.RATE, place -> {});
    var times = new LinkedHashMap<UUID, Long>();
    for (int i = 0; i < committed.length; i++) {
      times.put(trips.get(i).rowKey(), committed[i]);
    }
    return times;
  }

  @Override
  public void close() {
    servers.stack().worker(MeshServers.ORIGIN).client().stop(CONNECTOR);
  }
}
