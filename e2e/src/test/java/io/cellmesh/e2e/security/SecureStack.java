package io.cellmesh.e2e.security;

import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.RestSecurity;
import io.cellmesh.e2e.Command;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.stack.RoleUsers;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.storage.grants.Account;
import io.cellmesh.storage.grants.Grants;
import io.cellmesh.storage.grants.Role;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One data centre as {@code up --secure} starts it, with what its tests do to it. */
final class SecureStack implements AutoCloseable {
  private static final Pattern PASSWORD = Pattern.compile("password\\\\=\"([0-9a-f]+)\"");

  static final String INDEX = "driver_partner_index";
  private static final Duration SOON = Duration.ofSeconds(40);

  private final Stack stack;
  private final RoleUsers users;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private SecureStack(Stack stack) {
    this.stack = stack;
    this.users = RoleUsers.of(stack.devStack().stateDir()).orElseThrow();
  }

  static SecureStack start() throws Exception {
    var file = StateDirectory.home().resolve("connectors/indexes/" + INDEX + ".yaml");
    var options =
        new StackOptions(Optional.empty(), 1, 8, 4, List.of(IndexFile.read(file))).secured();
    return new SecureStack(Stack.start(options, Command.silent().steps()));
  }

  DevStack devStack() {
    return stack.devStack();
  }

  ConnectClient connect() {
    return devStack().worker("dc1").client();
  }

  MySqlServer master(String cluster) {
    return devStack().cluster("dc1", cluster).master();
  }

  /** Every password of its roles, that of Connect, and those of the stores. */
  Collection<String> secrets() throws IOException {
    var secrets = new ArrayList<String>();
    for (var role : Role.values()) {
      secrets.add(users.credentials(role).password());
    }
    secrets.add(users.credentials(Role.READER).tls().trustStorePassword());
    var state = devStack().stateDir();
    secrets.add(new String(RestSecurity.of(state).orElseThrow().login().getPassword()));
    var kafka = Files.readString(state.resolve("secrets/kafka-dc1.properties"));
    PASSWORD.matcher(kafka).results().forEach(found -> secrets.add(found.group(1)));
    return secrets;
  }

  /** A row key whose shard the cluster owns. */
  UUID rowOf(String cluster) {
    var topology = devStack().topology("dc1");
    return Stream.generate(UUID::randomUUID)
        .filter(row -> topology.clusterOf(topology.shards().of(row)).name().equals(cluster))
        .findFirst()
        .orElseThrow();
  }

  /** The database of a row, or of an index's entries for that value of its shard field. */
  String database(UUID key) {
    var topology = devStack().topology("dc1");
    return Names.database(topology.instance(), topology.shards().of(key));
  }

  /** The master of {@link #database}. */
  MySqlServer masterOf(UUID key) {
    var topology = devStack().topology("dc1");
    return master(topology.clusterOf(topology.shards().of(key)).name());
  }

  /** Produces a trip of a driver, into whose index it goes. */
  void put(UUID row, UUID driver) {
    var body =
        "{\"driver_partner_uuid\":\"%s\",\"city_uuid\":\"%s\",\"trip_created_at\":\"2026-01-31 12:00:00\"}"
            .formatted(driver, driver);
    var put = on("put", row.toString(), "BASE", "1", body);
    if (put.exit() != 0) {
      throw new AssertionError(put.err());
    }
  }

  /** Waits until the index shows the row for the driver. */
  void awaitIndexed(UUID row, UUID driver) {
    await()
        .atMost(SOON)
        .until(() -> on(query(driver).toArray(String[]::new)).out().contains(row.toString()));
  }

  static List<String> query(UUID driver) {
    return List.of("query", INDEX, "--where", "driver_partner_uuid=" + driver);
  }

  Command on(String... args) {
    return Command.on(devStack().stateDir(), args);
  }

  /**
   * Begins a command as the reader, in a process of its own, as a person would.
   *
   * @param changes to the environment that signs it on
   */
  Future<Command> asReader(Map<String, String> changes, List<String> args) {
    return threads.submit(() -> run(changes, args));
  }

  /** What the connector's validation finds wrong with other values, by setting. */
  Future<String> refusal(String connector, Map<String, String> changes) {
    return threads.submit(() -> connect().validate(changed(connector, changes)).toString());
  }

  private Command run(Map<String, String> changes, List<String> args) throws Exception {
    var environment = new HashMap<>(readersEnvironment());
    environment.putAll(changes);
    var all = new ArrayList<>(args);
    all.addAll(List.of("--state", devStack().stateDir().toString()));
    return Command.process(environment, all);
  }

  private Map<String, String> readersEnvironment() throws Exception {
    var reader = users.credentials(Role.READER);
    var dir = Files.createTempDirectory(devStack().stateDir(), "reader");
    var password = Files.writeString(dir.resolve("password"), reader.password());
    var trust = Files.writeString(dir.resolve("trust"), reader.tls().trustStorePassword());
    return Map.of(
        "CELLMESH_MYSQL_USER", reader.user(),
        "CELLMESH_MYSQL_PASSWORD_FILE", password.toString(),
        "CELLMESH_MYSQL_SSL_MODE", "VERIFY_IDENTITY",
        "CELLMESH_MYSQL_TRUSTSTORE", reader.tls().trustStore().orElseThrow().toString(),
        "CELLMESH_MYSQL_TRUSTSTORE_PASSWORD_FILE", trust.toString());
  }

  /** The reference to a secret, which this writes into a file for it. */
  String reference(String name, String secret) throws Exception {
    Path file = devStack().stateDir().resolve("secrets").resolve(name + ".properties");
    Files.writeString(file, "it=" + secret, StandardCharsets.UTF_8);
    return "${file:%s:it}".formatted(file);
  }

  /** The configuration of a connector that runs, with other values. */
  Map<String, String> changed(String connector, Map<String, String> changes) {
    var config = new HashMap<>(connect().config(connector));
    config.putAll(changes);
    return config;
  }

  /** Posts a connector that can't work. */
  void post(String name, Map<String, String> config) {
    config.put("name", name);
    connect().put(name, config);
  }

  /** A file beside the stack's own, in which somebody else is the operator. */
  Path deploymentOf(String operator, String reference) throws Exception {
    var own = Files.readString(stack.directory().deployment());
    var user = "    mysql: {user: root}\n";
    if (!own.contains(user)) {
      throw new AssertionError(own);
    }
    var also = "    operator: {user: %s, password: \"%s\"}\n".formatted(operator, reference);
    return Files.writeString(
        stack.directory().path().resolve(operator + ".yaml"), own.replace(user, user + also));
  }

  /** What {@code cellmesh grants --role index} prints, run by who may. */
  void grant(IndexDefinition index) {
    var topology = devStack().topology("dc1");
    var account = new Account(Role.INDEX.user(), "127.0.0.1", true);
    for (var cluster : topology.clusters()) {
      new Grants(topology, List.of(index))
          .of(Role.INDEX, account, cluster)
          .forEach(master(cluster.name())::execute);
    }
  }

  /** Waits until a connector has failed: its traces. */
  String awaitFailure(String connector) {
    return await()
        .atMost(SOON)
        .until(
            () -> connect().status(connector).map(SecureStack::traces).orElse(""),
            trace -> !trace.isEmpty());
  }

  /** Starts a connector anew that has been mended. */
  void restart(String connector) {
    connect().restart(connector);
    await()
        .atMost(SOON)
        .until(() -> connect().status(connector).filter(ConnectorStatus::isRunning).isPresent());
  }

  private static String traces(ConnectorStatus status) {
    var traces = new StringBuilder(status.connector().trace());
    status.tasks().forEach(task -> traces.append(task.trace()));
    return traces.toString();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    stack.close();
  }
}
