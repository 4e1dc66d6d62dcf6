package io.cellmesh.devstack;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cellmesh.devstack.dist.MySqlDist;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything that was settled before a stack's first child started: names, ports and settings. Kept
 * in {@code stack.json}, so that another process can take the stack over.
 */
record StackPlan(
    String instance, int shards, int partitions, Mysql mysql, int diskMiB, List<DcPlan> dcs) {
  private static final String FILE = "stack.json";
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  /** The MySQL that the servers run; all null without any. */
  record Mysql(String mysqld, String home, String version, Map<String, String> environment) {
    static Mysql of(MySqlDist dist) {
      return new Mysql(
          dist.mysqld().toString(),
          dist.home().map(Path::toString).orElse(null),
          dist.version(),
          dist.environment());
    }
  }

  /**
   * @param brokers of one Kafka cluster; stacks that an older Cellmesh started name their only one
   */
  record DcPlan(
      String name,
      List<ClusterPlan> clusters,
      @JsonAlias("broker") @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
          List<BrokerPlan> brokers,
      List<WorkerPlan> workers) {
    DcPlan {
      brokers = brokers == null ? List.of() : List.copyOf(brokers);
    }
  }

  /**
   * @param servers the first is the first master
   */
  record ClusterPlan(String name, String shards, List<ServerPlan> servers) {}

  record ServerPlan(
      String name,
      int port,
      int serverId,
      String domain,
      int bufferPoolMiB,
      Map<String, String> settings) {}

  /**
   * @param port that clients know
   * @param listening where it listens: there, unless there is a {@link NetworkPath} before it
   * @param node its number in its cluster
   * @param peers where other data centres reach it, if not as its own clients do
   * @param jvm flags
   */
  record BrokerPlan(
      String name,
      int port,
      int listening,
      int controllerPort,
      int node,
      List<PeerPort> peers,
      Map<String, String> settings,
      List<String> jvm) {
    BrokerPlan {
      listening = listening == 0 ? port : listening;
      node = node == 0 ? 1 : node;
      peers = peers == null ? List.of() : List.copyOf(peers);
      // Stacks that an older Cellmesh started have none.
      jvm = jvm == null ? List.of() : List.copyOf(jvm);
    }
  }

  /**
   * Where one other data centre reaches a broker, so that it can be cut off from it alone.
   *
   * @param port that it knows
   * @param listening where the broker listens, behind a {@link NetworkPath}
   */
  record PeerPort(String datacenter, int port, int listening) {}

  /**
   * @param jvm flags
   */
  record WorkerPlan(
      String name,
      int port,
      String group,
      List<String> plugins,
      Map<String, String> settings,
      List<String> jvm) {
    WorkerPlan {
      jvm = jvm == null ? List.of() : List.copyOf(jvm);
    }
  }

  static StackPlan of(Options options, Mysql mysql) {
    var dcs = new ArrayList<DcPlan>();
    int serverId = 0;
    for (int d = 1; d <= options.datacenters(); d++) {
      var dc = "dc" + d;
      var clusters = new ArrayList<ClusterPlan>();
      var storage = options.storage();
      var ranges = ShardRanges.split(options.instance().shards(), storage.clusters());
      for (int c = 1; c <= storage.clusters(); c++) {
        var servers = new ArrayList<ServerPlan>();
        for (int s = 0; s <= storage.minions(); s++) {
          var name = "%s-c%d-%s".formatted(dc, c, s == 0 ? "m" : "s" + s);
          servers.add(
              new ServerPlan(
                  name,
                  Ports.free(),
                  ++serverId,
                  name,
                  storage.bufferPoolMiB(),
                  ofServer(storage.settings())));
        }
        clusters.add(new ClusterPlan("c" + c, ranges.get(c - 1).toString(), servers));
      }
      dcs.add(new DcPlan(dc, clusters, brokers(dc, options), workers(dc, options)));
    }
    return new StackPlan(
        options.instance().name(),
        options.instance().shards(),
        options.instance().partitions(),
        mysql,
        options.diskMiB(),
        dcs);
  }

  /**
   * The plan with one more server in a cluster, which is the last one of its list.
   *
   * @throws DevStackException if there is no such cluster
   */
  StackPlan withServer(String dc, String cluster) {
    int serverId = servers().mapToInt(ServerPlan::serverId).max().orElse(0) + 1;
    var grown = new ArrayList<DcPlan>();
    for (var d : dcs) {
      var clusters = new ArrayList<ClusterPlan>();
      for (var c : d.clusters()) {
        clusters.add(
            d.name().equals(dc) && c.name().equals(cluster) ? withServer(d, c, serverId) : c);
      }
      grown.add(new DcPlan(d.name(), clusters, d.brokers(), d.workers()));
    }
    var plan = new StackPlan(instance, shards, partitions, mysql, diskMiB, grown);
    if (plan.equals(this)) {
      throw new DevStackException("no cluster " + cluster + " in " + dc);
    }
    return plan;
  }

  /**
   * Writes down that a cluster has one more server. Of two commands that do so at once the later
   * reads what the earlier has written.
   *
   * @return the plan, in which the server is the last one of its cluster
   * @throws DevStackException if there is no such cluster
   */
  static StackPlan grow(Path stateDir, String dc, String cluster) {
    // A file lock belongs to the JVM; among its threads the monitor decides.
    synchronized (StackPlan.class) {
      try (var lockFile =
          FileChannel.open(
              stateDir.resolve(FILE + ".lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE)) {
        lockFile.lock();
        var grown = read(stateDir).withServer(dc, cluster);
        grown.write(stateDir);
        return grown;
      } catch (IOException e) {
        throw new DevStackException(FILE + " could not be locked in " + stateDir, e);
      }
    }
  }

  /** The server that a cluster was given last. */
  ServerPlan lastOf(String dc, String cluster) {
    var servers =
        dcs.stream()
            .filter(d -> d.name().equals(dc))
            .flatMap(d -> d.clusters().stream())
            .filter(c -> c.name().equals(cluster))
            .findFirst()
            .orElseThrow()
            .servers();
    return servers.get(servers.size() - 1);
  }

  private static ClusterPlan withServer(DcPlan dc, ClusterPlan cluster, int serverId) {
    var first = cluster.servers().get(0);
    var name = "%s-%s-s%d".formatted(dc.name(), cluster.name(), cluster.servers().size());
    var servers = new ArrayList<>(cluster.servers());
    servers.add(
        new ServerPlan(
            name, Ports.free(), serverId, name, first.bufferPoolMiB(), ofServer(first.settings())));
    return new ClusterPlan(cluster.name(), cluster.shards(), servers);
  }

  /** Whose port the settings have set listens at another one, behind a {@link NetworkPath}. */
  private static Map<String, String> ofServer(Map<String, String> settings) {
    if (!settings.containsKey("port")) {
      return settings;
    }
    var own = new HashMap<>(settings);
    own.put("port", Integer.toString(Ports.free()));
    return own;
  }

  /** The MySQL servers of all data centres. */
  Stream<ServerPlan> servers() {
    return dcs.stream().flatMap(dc -> dc.clusters().stream()).flatMap(c -> c.servers().stream());
  }

  private static List<BrokerPlan> brokers(String dc, Options options) {
    var brokers = new ArrayList<BrokerPlan>();
    for (int node = 1; node <= options.kafka().brokers(); node++) {
      int port = Ports.free();
      brokers.add(
          new BrokerPlan(
              dc + "-kafka" + (node == 1 ? "" : node),
              port,
              options.hasPaths() ? Ports.free() : port,
              Ports.free(),
              node,
              peers(dc, options),
              options.kafka().brokerSettings(),
              brokerJvm(options)));
    }
    return brokers;
  }

  private static List<PeerPort> peers(String dc, Options options) {
    var peers = new ArrayList<PeerPort>();
    for (int d = 1; d <= options.datacenters() && options.hasPeersPaths(); d++) {
      var peer = "dc" + d;
      if (!peer.equals(dc)) {
        peers.add(new PeerPort(peer, Ports.free(), Ports.free()));
      }
    }
    return peers;
  }

  private static List<WorkerPlan> workers(String dc, Options options) {
    var workers = new ArrayList<WorkerPlan>();
    for (int w = 1; w <= options.kafka().workers(); w++) {
      workers.add(
          new WorkerPlan(
              dc + "-connect" + (w == 1 ? "" : w),
              Ports.free(),
              dc + "-connect",
              options.kafka().plugins().stream().map(p -> p.toAbsolutePath().toString()).toList(),
              options.kafka().workerSettings(),
              jvm(options)));
    }
    return workers;
  }

  /**
   * A stack has many JVMs and lives minutes: what the second compiler makes of their code comes too
   * late to pay for the processors that it takes from everybody else meanwhile. A measurement warms
   * up until it has, and has memory to spare.
   */
  private static List<String> jvm(Options options) {
    return options.undisturbed() ? HugePages.flags() : List.of("-XX:TieredStopAtLevel=1");
  }

  /**
   * A broker keeps its samples of request times in linked lists that each collection follows from
   * end to end: 16 ms of every 2.4 s at 700 requests a second, which everything in flight waits
   * for. Where times are measured its collector works beside it, in so much room that it seldom
   * takes the processors from what is measured.
   */
  private static List<String> brokerJvm(Options options) {
    var flags = new ArrayList<>(jvm(options));
    if (options.undisturbed()) {
      flags.addAll(List.of("-XX:+UseZGC", "-Xms2g", "-Xmx2g"));
    }
    return flags;
  }

  /** Gives a child its disk, if each has one; before it writes its first file. */
  void mountDisk(Path stateDir, String child) {
    if (diskMiB > 0) {
      try {
        Disk.mount(stateDir.resolve(child), diskMiB);
      } catch (IOException e) {
        throw new DevStackException(child + ": no disk could be made", e);
      }
    }
  }

  /** What its MySQL servers run. */
  MySqlDist dist() {
    return new MySqlDist(
        Path.of(mysql.mysqld()),
        Optional.ofNullable(mysql.home()).map(Path::of),
        mysql.version(),
        mysql.environment());
  }

  static boolean isIn(Path stateDir) {
    return Files.exists(stateDir.resolve(FILE));
  }

  static StackPlan read(Path stateDir) {
    if (!isIn(stateDir)) {
      throw new DevStackException("there is no stack in " + stateDir + " (no " + FILE + ")");
    }
    try {
      return JSON.readValue(stateDir.resolve(FILE).toFile(), StackPlan.class);
    } catch (IOException e) {
      throw new DevStackException(stateDir.resolve(FILE) + " is not readable", e);
    }
  }

  void write(Path stateDir) {
    try {
      AtomicFile.write(stateDir.resolve(FILE), JSON.writeValueAsString(this));
    } catch (IOException e) {
      throw new DevStackException(FILE + " could not be written into " + stateDir, e);
    }
  }
}
