package io.cellmesh.e2e.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.devstack.Certificates;
import io.cellmesh.devstack.ConnectWorker;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.devstack.RestSecurity;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.KafkaTools;
import io.cellmesh.operations.grants.KafkaRole;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.acl.AclBindingFilter;

/**
 * One data centre whose brokers and workers ask who they talk to, and the brokers of a second one.
 * Nothing but a {@code cellmesh.yaml} for each user says how to reach them. A user may what {@code
 * grants --kafka} printed for its role.
 */
final class AclStack implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);
  private static final List<String> FLAGS =
      List.of("-Xms32m", "-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
  private static final String ADMIN = "admin.properties";
  private static final String PEERS_ADMIN = "peers-admin.properties";
  private static final int PARTITIONS = 4;

  private final DevStack stack;
  private final CompletableFuture<PeerKafka> peer;
  private final Path dir;
  private final KafkaTools tool = new KafkaTools();
  private final Map<KafkaRole, Map<String, String>> clients = new EnumMap<>(KafkaRole.class);

  AclStack(Path dir) throws Exception {
    this.dir = dir;
    var home = StateDirectory.home();
    this.peer = CompletableFuture.supplyAsync(() -> new PeerKafka(new Topics("trips"), PARTITIONS));
    this.stack =
        DevStack.start(
            Options.defaults()
                .withDatacenters(1)
                .withInstance("trips", 8, PARTITIONS)
                .withKafkaSecurity()
                .withRestSecurity()
                .withWaitingWorkers()
                .withExactlyOnceSource()
                .withPlugins(
                    List.of(
                        home.resolve("connect-sink/target/plugin"),
                        home.resolve("connect-source/target/plugin"))),
            Progress.silent());
    boolean ready = false;
    try {
      write(ADMIN, stack.broker("dc1").administrator());
      write(PEERS_ADMIN, peer.get().broker().administrator());
      for (var role : KafkaRole.values()) {
        clients.put(role, stack.broker("dc1").addUser(role.user()));
        write(role.text() + ".properties", clients.get(role));
        Files.writeString(file(role), yaml(role));
      }
      writePeer();
      writeConnectorsSecrets();
      ready = true;
    } finally {
      if (!ready) {
        close();
      }
    }
  }

  /** Has the worker sign on as its role, which makes the topics of its own. */
  void startWorker() {
    var worker = stack.worker("dc1");
    worker.reconfigure(ConnectWorker.clients(clients.get(KafkaRole.CONNECT_WORKER)));
    worker.start();
    worker.awaitReady();
  }

  DevStack stack() {
    return stack;
  }

  /** What the command prints for a role. */
  List<String> grants(KafkaRole role) {
    var printed =
        Command.run(
            "grants",
            "--kafka",
            "--role",
            role.text(),
            "--worker",
            stack.worker("dc1").properties().toString(),
            "--command-config",
            dir.resolve(ADMIN).toString(),
            "--deployment",
            file(role).toString());
    assertThat(printed.exit()).as(printed.err()).isZero();
    return KafkaTools.lines(printed.out());
  }

  /** The line of a role that is about that resource. */
  String grant(KafkaRole role, String resource) {
    return grants(role).stream()
        .filter(line -> line.contains("'" + resource + "'"))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(role + " " + resource));
  }

  /** Runs a line of what is printed for a role, on the brokers that it names. */
  void allow(String line) throws Exception {
    tool.run(byTheirAdministrator(line));
  }

  /** Undoes what a line has allowed, and waits until its brokers act on it. */
  void forbid(String line) throws Exception {
    var broker = isOfPeer(line) ? peer().broker() : stack.broker("dc1");
    try (var admin = broker.admin()) {
      var before = admin.describeAcls(AclBindingFilter.ANY).values().get();
      tool.undo(byTheirAdministrator(line));
      await()
          .atMost(START)
          .until(
              () -> admin.describeAcls(AclBindingFilter.ANY).values().get().size() < before.size());
    }
  }

  private String byTheirAdministrator(String line) {
    return isOfPeer(line) ? line.replace("/" + ADMIN, "/" + PEERS_ADMIN) : line;
  }

  private boolean isOfPeer(String line) {
    return line.contains(peer().broker().bootstrap());
  }

  PeerKafka peer() {
    return peer.join();
  }

  /** What the cellmesh.yaml of a role's user says. */
  Deployment deployment(KafkaRole role) throws IOException {
    return Deployment.read(file(role));
  }

  /** Starts one of the Streams applications with the cellmesh.yaml of its user. */
  JavaApp start(KafkaRole role, String mainClass, String... more) {
    var arguments = new ArrayList<>(List.of("--deployment", file(role).toString(), "--dc", "dc1"));
    arguments.addAll(List.of(more));
    return stack.startApp(
        new JavaApp.Spec(
            role.text(),
            StateDirectory.home().resolve(role.text()).resolve("target/app"),
            mainClass,
            arguments,
            Map.of(),
            FLAGS));
  }

  /** Runs a command with the cellmesh.yaml of a role's user. */
  Command as(KafkaRole role, String... args) {
    var all = new ArrayList<>(Arrays.asList(args));
    all.addAll(List.of("--deployment", file(role).toString()));
    return Command.run(all.toArray(String[]::new));
  }

  /** Posts what {@code connectors render} prints, and waits until all runs. */
  void post() throws IOException {
    var out = dir.resolve("connectors");
    var rendered = as(KafkaRole.OPERATOR, "connectors", "render", "--out", out.toString());
    assertThat(rendered.exit()).as(rendered.err()).isZero();
    var client = stack.worker("dc1").client();
    var names = new ArrayList<String>();
    for (var file : rendered.out().lines().map(Path::of).toList()) {
      var connector = JsonMapper.builder().build().readTree(file.toFile());
      var config = new HashMap<String, String>();
      connector
          .get("config")
          .properties()
          .forEach(setting -> config.put(setting.getKey(), setting.getValue().asText()));
      names.add(connector.get("name").asText());
      client.put(connector.get("name").asText(), config);
    }
    names.forEach(name -> client.awaitRunning(name, START));
  }

  private Path file(KafkaRole role) {
    return dir.resolve("cellmesh-" + role.text() + ".yaml");
  }

  /** Its connectors have users of their own, whose passwords the worker looks up. */
  private String yaml(KafkaRole role) {
    var state = stack.stateDir();
    var trust = new Certificates(state.resolve("tls")).trustStore();
    var secrets = state.resolve("secrets/kafka.properties");
    return """
        instance: trips
        datacenters:
          - name: dc1
            topology: "%s"
            kafka: {bootstrap: "%s", config: "%s.properties"}
            connect:
              url: "%s"
              user: %s
              password: "${file:%s:%s}"
              truststore: "%s"
              truststore_password: "${directory:%s:truststore.password}"
            mysql: {user: root}
            connectors:
              user: root
              kafka:
                security.protocol: SASL_SSL
                sasl.mechanism: SCRAM-SHA-512
                sasl.jaas.config: "${file:%s:{role}}"
                ssl.truststore.location: "%s"
                ssl.truststore.password: "${file:%s:truststore}"
        """
        .formatted(
            stack.topologyFile("dc1"),
            stack.broker("dc1").bootstrap(),
            role.text(),
            stack.worker("dc1").url(),
            RestSecurity.USER,
            RestSecurity.of(state).orElseThrow().users(),
            RestSecurity.USER,
            trust,
            trust.getParent(),
            secrets,
            trust,
            secrets);
  }

  /** Only herb-replicator knows of the second data centre. */
  private void writePeer() throws IOException {
    var herb = KafkaRole.HERB_REPLICATOR;
    write("peer.properties", peer().broker().addUser(herb.user()));
    var topology = dir.resolve("topology-%s.yaml".formatted(PeerKafka.NAME));
    var own = Files.readString(stack.topologyFile("dc1"));
    Files.writeString(topology, own.replace("dc1", PeerKafka.NAME));
    Files.writeString(
        file(herb),
        """
          - name: %s
            topology: "%s"
            kafka: {bootstrap: "%s", config: peer.properties}
        """
            .formatted(PeerKafka.NAME, topology, peer().broker().bootstrap()),
        StandardOpenOption.APPEND);
  }

  private void writeConnectorsSecrets() throws IOException {
    var secrets = new Properties();
    for (var role : List.of(KafkaRole.SINK, KafkaRole.SOURCE, KafkaRole.INDEX)) {
      secrets.put(role.text(), clients.get(role).get("sasl.jaas.config"));
    }
    secrets.put("truststore", clients.get(KafkaRole.SINK).get("ssl.truststore.password"));
    store(stack.stateDir().resolve("secrets/kafka.properties"), secrets);
  }

  private void write(String name, Map<String, String> settings) throws IOException {
    var properties = new Properties();
    properties.putAll(settings);
    store(dir.resolve(name), properties);
  }

  private static void store(Path file, Properties properties) throws IOException {
    try (var out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
  }

  @Override
  public void close() throws IOException {
    tool.close();
    peer.thenAccept(PeerKafka::close);
    stack.close();
  }
}
