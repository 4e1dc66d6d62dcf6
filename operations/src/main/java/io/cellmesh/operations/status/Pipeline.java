package io.cellmesh.operations.status;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.PeerAccess;
import io.cellmesh.operations.mesh.LinkPlace;
import io.cellmesh.storage.ConflictTable;
import io.cellmesh.storage.EntityCounts;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexCatalog;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogOffsets;
import io.cellmesh.topics.TopicOffsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * Measures how far each hop is behind. What a consumer group commits it commits with a delay, so a
 * hop may be further than it seems, never less far.
 */
public final class Pipeline implements AutoCloseable {
  private static final String CONNECT_GROUP = "connect-";

  private final Deployment deployment;
  private final Pools pools;
  private final Map<String, KafkaConsumer<byte[], byte[]>> clients = new LinkedHashMap<>();
  private final Map<String, Admin> admins = new LinkedHashMap<>();
  private final Map<String, LogLag> lags = new LinkedHashMap<>();

  /**
   * Opens clients of every data centre's Kafka, or none.
   *
   * @throws org.apache.kafka.common.KafkaException if one can't be made, as while no broker's name
   *     can be resolved
   * @throws io.cellmesh.deployment.DeploymentException if it is not said how to reach one
   */
  public Pipeline(Deployment deployment, Pools pools) {
    this.deployment = deployment;
    this.pools = pools;
    boolean done = false;
    try {
      for (var dc : deployment.datacenters()) {
        clients.put(dc.name(), Consumers.open(dc.kafka()));
        admins.put(dc.name(), Consumers.admin(dc.kafka()));
        lags.put(dc.name(), new LogLag(dc, pools));
      }
      done = true;
    } finally {
      if (!done) {
        // A worker tries again every few seconds, and each client has a thread.
        close();
      }
    }
  }

  /** Every hop of every data centre, in the order of a cell's way. */
  public List<PipelineHop> hops() throws SQLException, InterruptedException {
    var hops = new ArrayList<PipelineHop>();
    for (var dc : deployment.datacenters()) {
      // Counted first: what comes meanwhile makes the log look further, not the tables.
      var rows = EntityCounts.byShard(dc.topology(), pools);
      hops.addAll(hops(dc, rows));
    }
    for (var from : deployment.datacenters()) {
      hops.addAll(mesh(from));
    }
    return hops;
  }

  @Override
  public void close() {
    clients.values().forEach(KafkaConsumer::close);
    admins.values().forEach(Admin::close);
  }

  private List<PipelineHop> hops(DataCenter dc, Map<Integer, Long> rows)
      throws SQLException, InterruptedException {
    var client = clients.get(dc.name());
    var groups = Groups.of(admins.get(dc.name()));
    Topics topics = deployment.topics();
    var sink = CONNECT_GROUP + deployment.instance() + "-sink";
    var log = LogOffsets.of(client, dc.topology());
    var hops = new ArrayList<PipelineHop>();
    hops.add(
        new PipelineHop(
            dc.name(),
            topics.cells() + " to entity",
            groups.lag(sink, TopicOffsets.of(client, topics.cells()))));
    hops.add(
        new PipelineHop(
            dc.name(),
            topics.mesh() + " to entity",
            groups.lag(sink, TopicOffsets.of(client, topics.mesh()))));
    hops.add(new PipelineHop(dc.name(), "conflicts to " + topics.rejected(), untold(dc)));
    hops.add(lags.get(dc.name()).of(log, rows));
    for (var index : new IndexCatalog(dc.topology(), pools).look()) {
      if (index.isComplete()) {
        hops.addAll(index(dc, index, client, groups));
      }
    }
    return hops;
  }

  /** Conflicts that are decided and not told yet. */
  private long untold(DataCenter dc) throws SQLException {
    var ledger = new ConflictTable(dc.topology());
    long untold = 0;
    for (var cluster : dc.topology().clusters()) {
      try (var connection = pools.open(cluster.master())) {
        untold += ledger.countUntold(connection);
      }
    }
    return untold;
  }

  private List<PipelineHop> index(
      DataCenter dc, IndexVersion index, KafkaConsumer<byte[], byte[]> client, Groups groups)
      throws InterruptedException {
    var topics = deployment.topics();
    var entries = topics.index(index.label());
    var instance = deployment.instance();
    return List.of(
        new PipelineHop(
            dc.name(),
            topics.log() + " to " + entries,
            groups.lag(
                InstanceNames.application(instance, index.pass()),
                TopicOffsets.of(client, topics.log()))),
        new PipelineHop(
            dc.name(),
            entries + " to tables",
            groups.lag(
                InstanceNames.sink(instance, index.pass()), TopicOffsets.of(client, entries))));
  }

  /** The hops from one data centre's log into the mesh topics of the others. */
  private List<PipelineHop> mesh(DataCenter from) throws InterruptedException {
    var topics = deployment.topics();
    var groups = Groups.of(admins.get(from.name()));
    if (deployment.datacenters().size() == 1) {
      return List.of();
    }
    var log = TopicOffsets.of(clients.get(from.name()), topics.log());
    var hops = new ArrayList<PipelineHop>();
    for (var to : deployment.datacenters()) {
      if (to != from) {
        hops.add(
            new PipelineHop(
                to.name(),
                topics.log() + " of " + from.name() + " to " + topics.mesh(),
                behind(from, to, groups, log)));
      }
    }
    return hops;
  }

  /** Over HTTP a link is in no group; how far it has read stands where its cells arrive. */
  private static long behind(DataCenter from, DataCenter to, Groups groups, TopicOffsets log)
      throws InterruptedException {
    return to.mesh().peer(from.name()) instanceof PeerAccess.Http
        ? LinkPlace.of(to, from).places().stream().mapToLong(Pipeline::left).sum()
        : groups.lag(LinkPlace.group(to), log);
  }

  static long left(ReadPlace place) {
    return Math.max(0, place.end() - Math.max(place.begin(), place.committed().orElse(0)));
  }
}
