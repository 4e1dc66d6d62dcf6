package io.cellmesh.stack;

import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.MeshAccess;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.Certificates;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Endpoints;
import io.cellmesh.devstack.RestSecurity;
import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The directory of a running stack: {@code endpoints.json} says where its servers listen and which
 * roles they have now, {@code topology-DC.yaml} what is fixed, {@code cellmesh.yaml} what commands
 * and applications open.
 */
public record StateDirectory(Path path) {
  private static final String USER = "root";

  /** For each so many milliseconds that a link waits its windows hold what they do by default. */
  private static final int WINDOW_MS = 100;

  /** As long as a transaction of a source lasts. */
  private static final int IN_ONE_GO_MS = 100;

  /** More than this a sink reads without waiting. */
  private static final int MUCH_BYTES = 256 << 10;

  /**
   * A user without a password, on the loopback: there is nothing to keep from anybody. The stack's
   * JVMs lack the second compiler, and with it the processor's own AES: half of what a Connect
   * worker did under load was to encrypt.
   */
  private static final String UNENCRYPTED = ", ssl: DISABLED";

  /** Where a stack is kept if the user names no other place. */
  public static StateDirectory usual() {
    return new StateDirectory(CellmeshHome.state().resolve("stack"));
  }

  /**
   * The given directory, or else that of the stack that was kept last.
   *
   * @throws OperationException if there is none
   */
  public static StateDirectory find(Optional<Path> given) throws IOException {
    var state = given.map(StateDirectory::new).orElse(remembered().orElse(usual()));
    if (!Files.isRegularFile(state.endpoints())) {
      throw OperationException.unavailable(
          given.isPresent()
              ? given.get() + " holds no stack: it has no endpoints.json"
              : "no stack is kept; start one with `cellmesh up`, or name one with --state DIR");
    }
    return state;
  }

  /** The checkout, or the unpacked archive, that everything is started from. */
  public static Path home() {
    return CellmeshHome.dir();
  }

  /** Lets later commands find this stack by themselves. */
  public void remember() throws IOException {
    Files.createDirectories(pointer().getParent());
    Files.writeString(pointer(), path.toAbsolutePath().normalize() + "\n");
  }

  /** Undoes {@link #remember}, if it is this stack that is remembered. */
  public void forget() throws IOException {
    if (remembered().filter(this::equals).isPresent()) {
      Files.deleteIfExists(pointer());
    }
  }

  public Path endpoints() {
    return path.resolve(Endpoints.FILE);
  }

  public Path topology(String datacenter) {
    return path.resolve("topology-" + datacenter + ".yaml");
  }

  /** What runs there, with the roles as they are now. */
  public Deployment open() throws IOException {
    return ofStack(Deployment.read(deployment()));
  }

  /**
   * Says what runs there, as for servers of one's own; where each data centre has a worker, a port
   * is drawn for it here.
   */
  void writeDeployment(StackOptions options) throws IOException {
    var endpoints = Endpoints.read(path);
    var users = RoleUsers.of(path);
    var kafka = KafkaUsers.of(path);
    var yaml = new StringBuilder("instance: " + endpoints.instance() + "\ndatacenters:\n");
    for (var dc : endpoints.dcs()) {
      yaml.append("  - name: ").append(dc.name()).append('\n');
      yaml.append("    topology: ").append(topology(dc.name()).getFileName()).append('\n');
      yaml.append(
          "    kafka: {bootstrap: \"%s\"%s}\n"
              .formatted(
                  dc.kafka(),
                  kafka.map(k -> ", config: \"%s\"".formatted(k.clientFile())).orElse("")));
      yaml.append("    connect: {url: \"%s\"%s}\n".formatted(dc.connect(), login()));
      yaml.append(
          "    mysql: {user: %s%s}\n".formatted(USER, users.isPresent() ? "" : UNENCRYPTED));
      var connectors =
          users.map(u -> u.yaml(kafka.orElseThrow().yaml(dc.name()))).orElse("{user: root}");
      yaml.append("    connectors: %s\n".formatted(withSettings(connectors, options)));
      if (options.linger() > 0 || options.share() != MeshAccess.SHARE) {
        yaml.append(
            "    mesh: {linger: %d, window: %d, share: %s}\n"
                .formatted(options.linger(), window(options.linger()), options.share()));
      }
      if (options.http()) {
        yaml.append("    workers: [\"http://127.0.0.1:%d\"]\n".formatted(DevStack.freePort()));
      }
    }
    Files.writeString(deployment(), yaml);
  }

  /**
   * Adds how long connectors wait for more: that the sources' producers send nothing of a
   * transaction before its end, as the page on the source tells whoever has exactly-once workers,
   * and what the page on capacity has for few processors.
   */
  private static String withSettings(String connectors, StackOptions options) {
    int wait = Math.max(options.linger(), options.exactlyOnce() ? IN_ONE_GO_MS : 0);
    if (wait == 0) {
      return connectors;
    }
    var source = "source: {producer.override.linger.ms: \"%d\"}".formatted(wait);
    var sink =
        options.linger() == 0
            ? ""
            : ", sink: {consumer.override.fetch.min.bytes: \"%d\", consumer.override.fetch.max.wait.ms: \"%d\"}"
                .formatted(MUCH_BYTES, options.linger());
    return connectors.replaceFirst("}$", ", settings: {%s%s}}".formatted(source, sink));
  }

  /** Of links that wait for more: a cell is under way for longer. */
  private static int window(int linger) {
    return Math.max(MeshAccess.WINDOW, MeshAccess.WINDOW * linger / WINDOW_MS);
  }

  /** How commands sign on to Connect, where it asks. */
  private String login() {
    return RestSecurity.of(path)
        .map(
            security -> {
              var trust = Certificates.of(path).orElseThrow().trustStore();
              return ", user: %s, password: \"${file:%s:%s}\", truststore: \"%s\", truststore_password: \"${directory:%s:truststore.password}\""
                  .formatted(
                      RestSecurity.USER,
                      security.users(),
                      RestSecurity.USER,
                      trust,
                      trust.getParent());
            })
        .orElse("");
  }

  /** The {@code cellmesh.yaml} of the stack. */
  public Path deployment() {
    return path.resolve(Deployment.FILE);
  }

  /** The directory of the stack that a deployment is; empty for servers of one's own. */
  public static Optional<StateDirectory> of(Deployment deployment) {
    return Optional.ofNullable(Path.of(deployment.source()).toAbsolutePath().getParent())
        .map(StateDirectory::new)
        .filter(state -> Files.isRegularFile(state.endpoints()));
  }

  /** Has the endpoints of a stack follow its roles; servers of one's own stay as they are. */
  public static Deployment ofStack(Deployment deployment) {
    return of(deployment)
        .map(
            state ->
                new Deployment(
                    deployment.source(),
                    deployment.datacenters().stream()
                        .map(dc -> dc.with(new StackTopology(state.path(), dc.name())))
                        .toList()))
        .orElse(deployment);
  }

  private static Path pointer() {
    return CellmeshHome.state().resolve("last");
  }

  private static Optional<StateDirectory> remembered() throws IOException {
    if (!Files.isRegularFile(pointer())) {
      return Optional.empty();
    }
    return Optional.of(new StateDirectory(Path.of(Files.readString(pointer()).strip())));
  }
}
