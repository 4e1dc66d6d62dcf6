package io.cellmesh.bench;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.CheckpointTopic;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.HugePages;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.KafkaBroker;
import io.cellmesh.devstack.NetworkPath;
import io.cellmesh.devstack.Progress;
import io.cellmesh.operations.mesh.LinkPlace;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Two data centres that are as far from each other as {@link #lengthen} says: {@value
 * Servers#DATACENTER}, where cells arrive, and {@value #ORIGIN}, whence they come. Each has two
 * masters, a broker and a worker; what goes from the one to the other passes a path.
 */
final class MeshServers implements AutoCloseable {
  static final String ORIGIN = "dc2";
  static final int PARTITIONS = 16;

  private static final int SHARDS = 64;

  /** What the page of herb-replicator starts it with, and what a short run needs. */
  private static final List<String> FLAGS = List.of("-Xms128m", "-Xmx128m", "-XX:+UseSerialGC");

  private static final Map<String, String> STATE = Map.of("cleanup.policy", "compact");
  private static final List<String> PLUGINS =
      List.of(OurSink.PLUGIN, PeerSink.PLUGIN, LogServers.SOURCE);

  private final DevStack stack;
  private final NetworkPath kafka;
  private final NetworkPath http;
  private final int port;
  private final Deployment near;

  private MeshServers(DevStack stack) throws IOException {
    this.stack = stack;
    this.kafka = farListener(broker(ORIGIN));
    this.port = DevStack.freePort();
    this.http = NetworkPath.toFar(port);
    this.near =
        Deployment.read(
            deployment(
                "near",
                datacenter(Servers.DATACENTER, broker(Servers.DATACENTER).bootstrap(), "{}"),
                datacenter(ORIGIN, broker(ORIGIN).bootstrap(), "{}")));
  }

  static MeshServers start(Progress progress) throws Exception {
    var plugins = PLUGINS.stream().map(Servers::built).toList();
    var options = Servers.options(plugins, OurSink.MASTERS, 0, SHARDS, PARTITIONS);
    var stack = DevStack.start(options.withDatacenters(2), progress);
    boolean up = false;
    try {
      var servers = new MeshServers(stack);
      servers.createTopics();
      servers.createOrigin();
      up = true;
      return servers;
    } finally {
      if (!up) {
        stack.close();
      }
    }
  }

  /**
   * Has the broker listen once more, for those who are far: it tells its clients under which
   * address to come again, and theirs is that of the path.
   */
  private static NetworkPath farListener(KafkaBroker broker) throws IOException {
    int listening = DevStack.freePort();
    var path = NetworkPath.toFar(listening);
    var settings = new Properties();
    try (var in = Files.newInputStream(broker.properties())) {
      settings.load(in);
    }
    settings.merge("listeners", ",FAR://127.0.0.1:" + listening, (all, far) -> all + "" + far);
    settings.merge(
        "advertised.listeners", ",FAR://127.0.0.1:" + path.port(), (all, far) -> all + "" + far);
    settings.put(
        "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,FAR:PLAINTEXT");
    settings.put("inter.broker.listener.name", "PLAINTEXT");
    // A buffer of a fixed size caps what a long way carries.
    settings.put("socket.send.buffer.bytes", "-1");
    settings.put("socket.receive.buffer.bytes", "-1");
    try (var out = Files.newOutputStream(broker.properties())) {
      settings.store(out, null);
    }
    broker.restart();
    return path;
  }

  DevStack stack() {
    return stack;
  }

  Topology topology(String dc) {
    return stack.topology(dc);
  }

  KafkaBroker broker(String dc) {
    return stack.broker(dc);
  }

  /** The origin's broker, as those see it who are far. */
  String farBootstrap() {
    return "127.0.0.1:" + kafka.port();
  }

  /** From now on everything between the two takes so much longer, one way. */
  void lengthen(int millis) {
    kafka.lengthen(Duration.ofMillis(millis));
    http.lengthen(Duration.ofMillis(millis));
  }

  /** Looks where the link to the origin would go on, and does not pass the path for that. */
  List<ReadPlace> places() throws InterruptedException {
    return LinkPlace.of(
            near.datacenter(Optional.of(Servers.DATACENTER)), near.datacenter(Optional.of(ORIGIN)))
        .places();
  }

  /** Starts a link to the origin. */
  JavaApp link(LinkTransport transport) throws IOException {
    var mesh =
        transport == LinkTransport.HTTP
            ? "{peers: {%s: {transport: http, url: \"http://127.0.0.1:%d\"}}}"
                .formatted(ORIGIN, http.port())
            : "{}";
    return herb(
        "link-" + transport.text(),
        Servers.DATACENTER,
        datacenter(Servers.DATACENTER, broker(Servers.DATACENTER).bootstrap(), mesh),
        datacenter(ORIGIN, farBootstrap(), "{}"));
  }

  /** Starts the origin's end of links over HTTP. */
  JavaApp serving() throws IOException {
    return herb(
        "origin-http",
        ORIGIN,
        datacenter(Servers.DATACENTER, broker(Servers.DATACENTER).bootstrap(), "{}"),
        datacenter(
            ORIGIN,
            broker(ORIGIN).bootstrap(),
            "{serve: {port: %d, allow: [%s]}}".formatted(port, Servers.DATACENTER)));
  }

  private String datacenter(String dc, String bootstrap, String mesh) {
    return """
          - name: %s
            topology: "%s"
            kafka: {bootstrap: "%s"}
            connect: {url: "%s"}
            mysql: {user: root, ssl: DISABLED}
            mesh: %s
        """
        .formatted(dc, stack.topologyFile(dc), bootstrap, stack.worker(dc).client().worker(), mesh);
  }

  private JavaApp herb(String name, String dc, String... datacenters) throws IOException {
    var deployment = deployment(name, datacenters);
    var flags = new ArrayList<>(FLAGS);
    flags.addAll(HugePages.flags());
    return stack.startApp(
        new JavaApp.Spec(
            name,
            application(),
            "io.cellmesh.herb.HerbReplicatorMain",
            List.of("--deployment", deployment.toString(), "--dc", dc, "--health-port", "0"),
            Map.of(),
            flags));
  }

  private Path deployment(String name, String... datacenters) throws IOException {
    var file = stack.stateDir().resolve(name + ".yaml");
    return Files.writeString(
        file, "instance: trips\ndatacenters:\n" + String.join("", datacenters));
  }

  private static Path application() {
    return CellmeshHome.application(CellmeshHome.dir(), "herb-replicator");
  }

  /** The origin folds no proof: elsewhere that has processors of its own. */
  private void createTopics() {
    var topics = topology(ORIGIN).topics();
    for (var dc : List.of(Servers.DATACENTER, ORIGIN)) {
      broker(dc)
          .create(
              new NewTopic(topics.log(), PARTITIONS, (short) 1),
              new NewTopic(PeerSink.TABLE, PARTITIONS, (short) 1),
              new NewTopic(topics.meshPlace(), 1, (short) 1).configs(STATE));
    }
    broker(Servers.DATACENTER)
        .create(
            new NewTopic(topics.cells(), PARTITIONS, (short) 1),
            new NewTopic(topics.checkpoint(), PARTITIONS, (short) 1)
                .configs(CheckpointTopic.settings()));
    broker(ORIGIN)
        .create(
            new NewTopic(topics.mesh(), PARTITIONS, (short) 1),
            new NewTopic(topics.rejected(), PARTITIONS, (short) 1),
            new NewTopic(topics.heartbeat(), 1, (short) 1).configs(STATE));
  }

  private void createOrigin() throws Exception {
    var origin = topology(ORIGIN);
    try (var pools = new Pools(new Credentials("root", ""))) {
      for (var cluster : origin.clusters()) {
        new InstanceSchema(origin, pools).create(cluster, shards -> {});
      }
    }
  }

  @Override
  public void close() {
    stack.close();
    kafka.close();
    http.close();
  }
}
