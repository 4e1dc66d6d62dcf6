package io.cellmesh.bench;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.KafkaBroker;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * One storage cluster of a master and a minion with an instance on it, a broker, and a worker that
 * knows all the connectors: whoever reads the binlog reads the same one.
 */
final class LogServers implements AutoCloseable {
  static final int PARTITIONS = 16;

  /** The folder of our source connector. */
  static final String SOURCE = "connect-source/target/plugin";

  private static final long SEED = 20260131;
  private static final Duration REPLICATION = Duration.ofSeconds(50);

  private final DevStack stack;
  private final Plugins plugins;
  private final Topology topology;
  private final EntityWriter writer;
  private long written;
  private double createSeconds;

  private LogServers(DevStack stack, Plugins plugins) {
    this.stack = stack;
    this.plugins = plugins;
    this.topology = stack.topology(Servers.DATACENTER);
    this.writer = new EntityWriter(topology, master(), SEED);
  }

  static LogServers start(int shards, Progress progress) throws Exception {
    return start(List.of(SOURCE, "bench/peer-source/target/plugin"), shards, progress);
  }

  /**
   * With other connectors.
   *
   * @param built folders of plugins below the checkout
   */
  static LogServers start(List<String> built, int shards, Progress progress) throws Exception {
    var plugins = Plugins.copy(built.stream().map(Servers::built).toList());
    DevStack stack = null;
    boolean up = false;
    try {
      stack = Servers.start(List.of(plugins.dir()), 1, 1, shards, PARTITIONS, progress);
      var servers = new LogServers(stack, plugins);
      progress.step("databases of %,d shards".formatted(shards));
      servers.createInstance();
      up = true;
      return servers;
    } finally {
      if (!up) {
        if (stack != null) {
          stack.close();
        }
        plugins.close();
      }
    }
  }

  DevStack stack() {
    return stack;
  }

  Topology topology() {
    return topology;
  }

  MySqlServer master() {
    return stack.clusters(Servers.DATACENTER).get(0).master();
  }

  MySqlServer minion() {
    return stack.clusters(Servers.DATACENTER).get(0).minions().get(0);
  }

  KafkaBroker broker() {
    return stack.broker(Servers.DATACENTER);
  }

  /** Writes so many cells on the master; returns once the minion has them, too. */
  void write(long cells) throws SQLException, InterruptedException {
    writer.write(cells);
    wrote(cells);
    awaitMinion();
  }

  /** Counts cells that somebody else has written. */
  void wrote(long cells) {
    written += cells;
  }

  /** How many cells have been written. */
  long written() {
    return written;
  }

  /** How long it took to make the databases, on the master and the minion. */
  double createSeconds() {
    return createSeconds;
  }

  /** Returns once the minion has what the master has. */
  void awaitMinion() {
    if (!minion().catchesUpWith(master(), REPLICATION)) {
      throw new DevStackException(
          "the minion is still behind after %d s".formatted(REPLICATION.toSeconds()));
    }
  }

  void createTopic(String name, int partitions) throws InterruptedException {
    createTopic(name, partitions, Map.of());
  }

  void createTopic(String name, int partitions, Map<String, String> settings) {
    var configs = new HashMap<>(settings);
    configs.put("segment.bytes", Integer.toString(64 << 20));
    broker().create(new NewTopic(name, partitions, (short) 1).configs(configs));
  }

  @Override
  public void close() {
    stack.close();
    plugins.close();
  }

  private void createInstance() throws Exception {
    createTopic(topology.topics().heartbeat(), 1);
    long start = System.nanoTime();
    try (var pools = new Pools(new Credentials("root", ""))) {
      for (var cluster : topology.clusters()) {
        new InstanceSchema(topology, pools).create(cluster, shards -> {});
      }
    }
    awaitMinion();
    createSeconds = (System.nanoTime() - start) / 1e9;
  }
}
