package io.cellmesh.testcontainers;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.load.CellProducer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.lifecycle.Startable;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/** The containers of one start, and what this machine reaches them with. */
final class Running implements AutoCloseable {
  private static final int MYSQL_PORT = 3306;
  private static final int CONNECT_PORT = 8083;
  private static final String KAFKA_INSIDE = "kafka:19092";
  private static final String CONNECT_INSIDE = "http://connect:" + CONNECT_PORT;
  private static final Duration STARTING = Duration.ofMinutes(5);

  /** Where docker/compose/init looks for what it needs. */
  private static final String ETC = "/etc/cellmesh/";

  private static final String SECRETS = ETC + "secrets/";
  private static final String OF_CONNECTORS = "/run/cellmesh/connect/";
  private static final String OF_MYSQL = "/run/cellmesh/mysql/";
  private static final String INIT = "/compose/init";

  private final Layout layout;
  private final Secrets secrets = Secrets.draw();
  private final Network network = Network.newNetwork();
  private final Map<String, GenericContainer<?>> servers = new LinkedHashMap<>();
  private final KafkaContainer kafka;
  private final GenericContainer<?> connect;
  private final GenericContainer<?> cli;
  private Path dir;
  private Deployment deployment;
  private Pools pools;
  private CellReader reader;
  private CellProducer producer;

  Running(Images images, Layout layout) {
    this.layout = layout;
    for (var name : Layout.SERVERS) {
      servers.put(name, mysql(images.mysql(), name));
    }
    kafka =
        new KafkaContainer(
                DockerImageName.parse(images.kafka()).asCompatibleSubstituteFor("apache/kafka"))
            .withNetwork(network)
            .withListener(KAFKA_INSIDE)
            .withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false")
            .withEnv("KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR", "1")
            .withEnv("KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR", "1")
            .withEnv("KAFKA_HEAP_OPTS", "-Xms256m -Xmx512m")
            .withStartupTimeout(STARTING);
    connect = worker(images.connect());
    connect.dependsOn(kafka);
    cli = commandLine(images.cli());
  }

  void start() {
    var all = new ArrayList<Startable>(servers.values());
    all.addAll(List.of(kafka, connect, cli));
    try {
      Startables.deepStart(all).join();
    } catch (RuntimeException e) {
      throw explained(e);
    }
    step(cli, INIT, "databases", Layout.DATACENTER);
    for (var cluster : layout.topology(Running::inside).clusters()) {
      var master = servers.get(cluster.master().host());
      var sql = step(cli, "sh", "-c", "cat " + OF_MYSQL + "sql/" + cluster.name() + "-*.sql");
      put(master, OF_MYSQL + "sql/" + cluster.name() + "-users.sql", sql);
      step(
          master,
          INIT,
          "users",
          "%s=%s,%s"
              .formatted(cluster.name(), cluster.master().host(), cluster.minions().get(0).host()));
    }
    step(cli, INIT, "connectors", Layout.DATACENTER);
    reach();
  }

  /** Writes what this machine goes by, and opens it. */
  private void reach() {
    try {
      dir = Files.createTempDirectory("cellmesh-stack-");
      var passwords = Files.createDirectory(dir.resolve("secrets"));
      for (var role : Secrets.OPERATORS) {
        Files.writeString(passwords.resolve(role), secrets.of(role));
      }
      Files.writeString(
          dir.resolve("topology.yaml"), TopologyYaml.write(layout.topology(this::outside)));
      Files.writeString(
          deploymentFile(),
          layout.deployment(kafka.getBootstrapServers(), connectUrl(), passwords.toString()));
      deployment = Deployment.read(deploymentFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var dc = deployment.datacenters().get(0);
    pools = new Pools(deployment.reader());
    reader = new CellReader(dc.topology(), pools, false);
    producer = new CellProducer(dc.kafka(), deployment.topics());
  }

  String bootstrapServers() {
    return kafka.getBootstrapServers();
  }

  GenericContainer<?> cli() {
    return cli;
  }

  Deployment deployment() {
    return deployment;
  }

  CellReader reader() {
    return reader;
  }

  CellProducer producer() {
    return producer;
  }

  String connectUrl() {
    return "http://%s:%d".formatted(connect.getHost(), connect.getMappedPort(CONNECT_PORT));
  }

  Path deploymentFile() {
    return dir.resolve(Deployment.FILE);
  }

  private static Server inside(String name) {
    return new Server(name, MYSQL_PORT, name);
  }

  private Server outside(String name) {
    var server = servers.get(name);
    return new Server(server.getHost(), server.getMappedPort(MYSQL_PORT), name);
  }

  private GenericContainer<?> mysql(String image, String name) {
    var server = container(image, name);
    server
        .withExposedPorts(MYSQL_PORT)
        .withEnv("MYSQL_ROOT_PASSWORD_FILE", OF_MYSQL + Secrets.ROOT)
        .withEnv("MYSQL_INITDB_SKIP_TZINFO", "1")
        .withCommand("--server-id=" + name.substring("db".length()))
        .withCopyFileToContainer(resource("mysql.cnf", 0644), "/etc/mysql/conf.d/cellmesh.cnf")
        .withCopyFileToContainer(resource("init", 0755), INIT)
        // Over TCP: while the image initialises, its server has none.
        .waitingFor(
            Wait.forSuccessfulCommand(
                "MYSQL_PWD=$(cat %sroot) mysql -h 127.0.0.1 -u root -e 'SELECT 1'"
                    .formatted(OF_MYSQL)))
        .withStartupTimeout(STARTING);
    secret(server, OF_MYSQL, Secrets.ROOT);
    secret(server, SECRETS, "replication");
    return server;
  }

  private GenericContainer<?> worker(String image) {
    var worker = container(image, "connect");
    worker
        .withExposedPorts(CONNECT_PORT)
        .withEnv("CONNECT_BOOTSTRAP_SERVERS", KAFKA_INSIDE)
        .withEnv("KAFKA_HEAP_OPTS", "-Xms256m -Xmx512m")
        .waitingFor(Wait.forHttp("/health").forPort(CONNECT_PORT))
        .withStartupTimeout(STARTING);
    Secrets.CONNECTORS.forEach(role -> secret(worker, SECRETS, role));
    return worker;
  }

  private GenericContainer<?> commandLine(String image) {
    var commands = container(image, "cli");
    commands
        .withEnv(Deployment.VARIABLE, ETC + Deployment.FILE)
        .withCommand("sleep", "infinity")
        .withCopyToContainer(
            Transferable.of(TopologyYaml.write(layout.topology(Running::inside))),
            ETC + "topology.yaml")
        .withCopyToContainer(
            Transferable.of(
                layout.deployment(KAFKA_INSIDE, CONNECT_INSIDE, "/etc/cellmesh/secrets")
                    + "    connectors: {user: \"cellmesh_{role}\", password: \"${directory:/etc/cellmesh/secrets:{role}}\", ssl: REQUIRED}\n"),
            ETC + Deployment.FILE)
        .withCopyFileToContainer(resource("init", 0755), INIT);
    secret(commands, OF_MYSQL, Secrets.ROOT);
    Secrets.OPERATORS.forEach(role -> secret(commands, SECRETS, role));
    Secrets.CONNECTORS.forEach(role -> secret(commands, OF_CONNECTORS, role));
    return commands;
  }

  private GenericContainer<?> container(String image, String name) {
    return new GenericContainer<>(DockerImageName.parse(image))
        .withNetwork(network)
        .withNetworkAliases(name);
  }

  private void secret(GenericContainer<?> container, String directory, String role) {
    container.withCopyToContainer(Transferable.of(secrets.of(role)), directory + role);
  }

  private static MountableFile resource(String name, int mode) {
    return MountableFile.forClasspathResource("io/cellmesh/testcontainers/" + name, mode);
  }

  private static void put(GenericContainer<?> container, String file, String text) {
    container.copyFileToContainer(Transferable.of(text), file);
  }

  /** Runs what has to succeed; what it prints. */
  private static String step(GenericContainer<?> container, String... command) {
    var done = exec(container, List.of(command));
    if (done.getExitCode() != 0) {
      throw new IllegalStateException(
          "`%s` in %s ended with %d: %s%s"
              .formatted(
                  String.join(" ", command),
                  container.getDockerImageName(),
                  done.getExitCode(),
                  done.getStdout(),
                  done.getStderr()));
    }
    return done.getStdout();
  }

  /** Says what to do about an image that is not to be had. */
  private static RuntimeException explained(RuntimeException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ContainerFetchException) {
        return new IllegalStateException(
            cause.getMessage()
                + "; cellmesh-connect and cellmesh-cli are built by `docker compose build` in a checkout of Cellmesh, and the setters of CellmeshStack or MYSQL_IMAGE, KAFKA_IMAGE, CELLMESH_CONNECT_IMAGE and CELLMESH_CLI_IMAGE name others",
            e);
      }
    }
    return e;
  }

  @Override
  public void close() {
    if (producer != null) {
      producer.close();
    }
    if (pools != null) {
      pools.close();
    }
    cli.stop();
    connect.stop();
    kafka.stop();
    servers.values().forEach(GenericContainer::stop);
    network.close();
    if (dir != null) {
      delete(dir);
    }
  }

  private static void delete(Path dir) {
    try (var files = Files.walk(dir)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command in a container. */
  static ExecResult exec(GenericContainer<?> container, List<String> command) {
    try {
      return container.execInContainer(command.toArray(String[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in " + String.join(" ", command), e);
    }
  }
}
