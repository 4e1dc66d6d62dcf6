package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.Position;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Everything that a run has: servers, Kafka, tasks, the operator, and what is drawn. */
final class World {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  final Random random;
  final VirtualTime time;
  final ModelledKafka kafka;
  final Checks checks;
  final Group group;
  final Operator operator;
  final Map<String, ModelledServer> servers = new LinkedHashMap<>();

  /** Whether Kafka keeps everything, and any number of servers may be lost. */
  final boolean keeps;

  /** As it is; what tasks and servers know of it can be older. */
  Topology topology;

  /** Until when Kafka takes no rejections. */
  long muteUntil;

  private final List<String> story;
  private long digest;

  /**
   * @param story told what happens; null if nobody wants to know
   */
  World(Schedule schedule, VirtualTime.Baton baton, List<String> story) {
    long seed = schedule.seed();
    this.random = new Random(seed);
    this.time = new VirtualTime(baton, new Random(seed ^ 0x5DEECE66DL));
    this.keeps = schedule.keeps();
    this.topology = schedule.topology();
    this.kafka = new ModelledKafka(topology);
    this.checks = new Checks(this);
    this.story = story;
    for (var cluster : topology.clusters()) {
      for (var server : cluster.servers()) {
        create(server, cluster);
      }
      for (var minion : cluster.minions()) {
        server(minion).follow(server(cluster.master()));
      }
    }
    this.group = new Group(this);
    this.operator = new Operator(this);
  }

  private void create(Server server, StorageCluster cluster) {
    var made = new ModelledServer(server, cluster.name(), newUuid());
    for (int p = 0; p < topology.shards().partitions(); p++) {
      made.positions.put(p, Position.START);
    }
    topology.clusters().forEach(each -> made.epochs.put(each.name(), each.epoch()));
    made.readOnly = !server.equals(cluster.master());
    servers.put(server.address(), made);
  }

  String newUuid() {
    return "00000000-0000-0000-0000-%012d".formatted(1 + uuids++);
  }

  private int uuids;

  ModelledServer server(Server server) {
    return servers.get(server.address());
  }

  ModelledServer master(String cluster) {
    return server(topology.cluster(cluster).master());
  }

  boolean isListed(ModelledServer server) {
    return topology.cluster(server.cluster).servers().contains(server.server);
  }

  /** All servers that are part of the topology, and not lost. */
  List<ModelledServer> listed() {
    var listed = new ArrayList<ModelledServer>();
    for (var cluster : topology.clusters()) {
      for (var server : cluster.servers()) {
        if (!server(server).lost) {
          listed.add(server(server));
        }
      }
    }
    return listed;
  }

  /** How long something takes on its way to a server, or from there. */
  long latency(ModelledServer server) {
    if (server.slowUntil > time.nanoTime()) {
      return (100 + random.nextInt(1500)) * MILLI;
    }
    return random.nextInt(10) < 7 ? 0 : (1 + random.nextInt(50)) * (MILLI / 10);
  }

  /** Lets the minions of a server have what it has committed, some time later. */
  void replicate(ModelledServer master) {
    for (var minion : servers.values()) {
      if (minion.master == master && !minion.replicating) {
        minion.replicating = true;
        time.later((1 + random.nextInt(40)) * MILLI, () -> replicated(minion));
      }
    }
  }

  private void replicated(ModelledServer minion) {
    minion.replicating = false;
    var master = minion.master;
    if (master == null || !minion.up || minion.lost || minion.hungUntil > time.nanoTime()) {
      return;
    }
    boolean receives =
        master.up && master.hungUntil <= time.nanoTime() && minion.cutUntil <= time.nanoTime();
    if (receives) {
      minion.receive();
    }
    if (minion.lagUntil <= time.nanoTime()) {
      minion.apply();
    }
    if (minion.applied < master.committed()) {
      minion.replicating = true;
      time.later((20 + random.nextInt(200)) * MILLI, () -> replicated(minion));
    }
  }

  /** Raises an epoch on a server. Transactions that are open there have checked the old one. */
  boolean raise(ModelledServer server, String cluster, int epoch) {
    while (!server.locks.isEmpty()) {
      time.await(server.locks.values().iterator().next(), TimeUnit.SECONDS.toNanos(1));
    }
    if (server.epochs.get(cluster) >= epoch) {
      return false;
    }
    server.commit(s -> s.epochs.merge(cluster, epoch, Math::max));
    replicate(server);
    return true;
  }

  /** Ends the run: something is not as it must be. */
  VirtualTime.Over violated(String what) {
    tell("VIOLATED: " + what);
    time.end(new Violation(what));
    return new VirtualTime.Over();
  }

  /** Something that must never be. */
  static final class Violation extends AssertionError {
    private static final long serialVersionUID = 1;

    Violation(String what) {
      super(what, null);
    }
  }

  void tell(String what) {
    digest = digest * 31 + what.hashCode();
    digest = digest * 31 + time.nanoTime();
    if (story != null) {
      story.add("%8d ms  %s".formatted(time.millis(), what));
    }
  }

  boolean tells() {
    return story != null;
  }

  /** Tells two runs apart that did not go the same way. */
  long digest() {
    return digest;
  }
}
