package io.cellmesh.devstack;

import io.cellmesh.cell.Topology;
import io.cellmesh.devstack.dist.Cache;
import io.cellmesh.devstack.dist.MySqlLocator;
import io.cellmesh.devstack.dist.MySqlTemplate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A whole Cellmesh environment on this machine: data centres, each with storage clusters, a broker
 * and Connect workers, all of them real processes on free loopback ports.
 *
 * <p>It lives in a state directory with {@code endpoints.json}, a {@code topology-DC.yaml} each and
 * {@code logs/}. Its processes end with {@link #close}, and with the JVM that started it, however
 * that ends, unless {@link #keep} was called.
 */
public final class DevStack implements AutoCloseable {
  private final Path stateDir;
  private final boolean temporary;
  private final StackPlan plan;
  private final StackFiles files;
  private final Household household;
  private final Members members;
  private final Map<String, MySqlServer> added = new ConcurrentSkipListMap<>();
  private final List<JavaApp> apps = new CopyOnWriteArrayList<>();
  private final MemorySampler memory;
  private final ClassArchiving archiving;
  private final Thread shutdownHook;

  private DevStack(StackPlan plan, Household household, boolean temporary) {
    this.stateDir = household.stateDir();
    this.temporary = temporary;
    this.plan = plan;
    this.files = new StackFiles(stateDir, plan);
    this.household = household;
    this.members = Members.of(plan, household);
    this.memory = new MemorySampler(this::children);
    this.archiving = new ClassArchiving(members, apps);
    this.shutdownHook = new Thread(this::endWithJvm, "devstack-shutdown");
  }

  /**
   * Starts a stack and returns when every part answers.
   *
   * @throws DevStackException if a part does not start, naming it, its log and the last lines; what
   *     has been started is stopped again
   */
  public static DevStack start(Options options, Progress progress) {
    var cache = Cache.ofUser();
    var stateDir = StateDir.create(options.stateDir());
    Optional<MySqlTemplate> template = Optional.empty();
    StackPlan.Mysql mysql = null;
    if (options.storage().clusters() > 0) {
      var dist = new MySqlLocator(cache, progress).find();
      template = Optional.of(new MySqlTemplate(cache, dist, progress));
      mysql = StackPlan.Mysql.of(dist);
    }
    if (options.kafka().brokers() > 0) {
      CellmeshHome.kafka(progress);
    }
    var plan = StackPlan.of(secured(options, stateDir), mysql);
    plan.write(stateDir);
    var household = new Household(stateDir, Optional.of(Guardian.start()));
    var stack = new DevStack(plan, household, options.stateDir().isEmpty());
    Runtime.getRuntime().addShutdownHook(stack.shutdownHook);
    boolean up = false;
    try {
      new StackStart(
              plan,
              stateDir,
              stack.members,
              cache,
              template,
              options.kafka().workersWait(),
              progress)
          .run();
      stack.files.writeFirst(stack.members);
      if (!options.undisturbed()) {
        stack.memory.start();
        stack.archiving.start();
      }
      up = true;
      return stack;
    } finally {
      if (!up) {
        stack.stop(false);
      }
    }
  }

  /** Makes the secrets that the stack needs. */
  private static Options secured(Options options, Path stateDir) {
    if (!options.certified()) {
      return options;
    }
    var certificates = Certificates.make(Certificates.dirIn(stateDir));
    try {
      if (options.kafka().secured()) {
        KafkaSecurity.make(stateDir);
      }
      if (options.kafka().restSecured()) {
        RestSecurity.make(stateDir);
      }
    } catch (IOException e) {
      throw new DevStackException("no secrets could be made in " + stateDir, e);
    }
    var certified = options;
    if (options.storage().tls()) {
      for (var setting : certificates.serverSettings().entrySet()) {
        certified = certified.withMySqlSetting(setting.getKey(), setting.getValue());
      }
    }
    return certified;
  }

  /**
   * Takes hold of a stack that another process keeps. Closing it leaves everything running; what is
   * started or restarted through it is kept as well.
   *
   * @throws DevStackException if there is no stack in the directory
   */
  public static DevStack attach(Path stateDir) {
    var dir = stateDir.toAbsolutePath().normalize();
    var stack = new DevStack(StackPlan.read(dir), new Household(dir, Optional.empty()), false);
    for (var spec : AppSpecs.read(stack.household)) {
      stack.apps.add(new JavaApp(spec, stack.household));
    }
    stack.children().forEach(Child::adopt);
    return stack;
  }

  /**
   * Stops everything that runs from a state directory, whoever started it. Data and logs stay until
   * the next start there.
   *
   * @return how many processes were stopped
   */
  public static int down(Path stateDir) {
    var dir = stateDir.toAbsolutePath().normalize();
    StackPlan.read(dir);
    var household = new Household(dir, Optional.empty());
    var running =
        PidFiles.names(household).stream()
            .flatMap(name -> PidFiles.running(household, name).stream())
            .toList();
    Stopping.gently(running);
    StateDir.unmount(dir);
    return running.size();
  }

  public Path stateDir() {
    return stateDir;
  }

  /** dc1, dc2 and so on. */
  public List<String> datacenters() {
    return plan.dcs().stream().map(StackPlan.DcPlan::name).toList();
  }

  /** The shard map of a data centre, roles and epochs as they are now. */
  public Topology topology(String dc) {
    return files.topology(dc);
  }

  /** {@code topology-DC.yaml} in the state directory. */
  public Path topologyFile(String dc) {
    return files.topologyFile(dc);
  }

  /** Makes a changed map, after a promotion, that of its data centre; endpoints.json follows. */
  public void publish(Topology topology) {
    files.publish(topology);
  }

  /** Where everything listens, roles as they are now. */
  public Endpoints endpoints() {
    return Endpoints.read(stateDir);
  }

  /** The storage clusters of a data centre, roles as they are now. */
  public List<MySqlCluster> clusters(String dc) {
    return topology(dc).clusters().stream()
        .map(
            cluster ->
                new MySqlCluster(
                    cluster.name(),
                    cluster.shards(),
                    cluster.epoch(),
                    server(cluster.master().port()),
                    cluster.minions().stream().map(minion -> server(minion.port())).toList()))
        .toList();
  }

  /** A storage cluster, roles as they are now. */
  public MySqlCluster cluster(String dc, String name) {
    return clusters(dc).stream()
        .filter(cluster -> cluster.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no cluster " + name + " in " + dc));
  }

  /** A MySQL server by its name, such as {@code dc1-c1-m}: its first role is in it. */
  public MySqlServer server(String name) {
    return servers().stream()
        .filter(server -> server.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no server " + name + "; there are " + servers()));
  }

  /** The MySQL server that listens on a port; empty if this stack has none there. */
  public Optional<MySqlServer> serverAt(int port) {
    return servers().stream().filter(server -> server.port() == port).findFirst();
  }

  /**
   * Starts one more server for a cluster, empty and read-only. It belongs to no topology yet.
   *
   * @throws DevStackException if it does not start; then it is started again by {@link
   *     MySqlServer#start}
   */
  public MySqlServer addServer(String dc, String cluster) {
    var grown = StackPlan.grow(stateDir, dc, cluster);
    var server = server(grown.lastOf(dc, cluster).name());
    grown.mountDisk(stateDir, server.name());
    server.prepare(
        new MySqlTemplate(Cache.ofUser(), grown.dist(), Progress.silent()), grown.diskMiB() > 0);
    server.start();
    server.awaitReady();
    return server;
  }

  /** The first broker of a data centre. */
  public KafkaBroker broker(String dc) {
    return brokers(dc).stream()
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no broker in " + dc));
  }

  /** The brokers of a data centre, all of one cluster. */
  public List<KafkaBroker> brokers(String dc) {
    return members.brokers().getOrDefault(dc, List.of());
  }

  /** The disk of a child, if each has one. */
  public Disk disk(Child child) {
    return new Disk(stateDir.resolve(child.name()));
  }

  /** The first Connect worker of a data centre. */
  public ConnectWorker worker(String dc) {
    return workers(dc).stream()
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no Connect worker in " + dc));
  }

  public List<ConnectWorker> workers(String dc) {
    return members.workers().getOrDefault(dc, List.of());
  }

  /** A port of 127.0.0.1 that nobody listens on, for a JVM of {@link #startApp}. */
  public static int freePort() {
    return Ports.free();
  }

  /** Runs one more JVM as part of the stack. */
  public JavaApp startApp(JavaApp.Spec spec) {
    var app = new JavaApp(spec, household);
    AppSpecs.write(spec, household);
    app.start();
    apps.add(app);
    return app;
  }

  /** A JVM that was started by {@link #startApp}, here or by who kept the stack. */
  public JavaApp app(String name) {
    return apps.stream()
        .filter(app -> app.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no app " + name + "; there are " + apps));
  }

  /** Every process of the stack. */
  public List<Child> children() {
    var children = new ArrayList<Child>(apps);
    children.addAll(members.all());
    learnOfAdded();
    children.addAll(added.values());
    return children;
  }

  /** What the processes take now, and what they took at most since the start. */
  public MemoryReport memory() {
    return memory.report();
  }

  /** Leaves everything running when this JVM ends; {@link #down} stops it. */
  public void keep() {
    household.guardian().ifPresent(Guardian::keep);
    release();
  }

  /** Stops everything, unless it is kept; a temporary state directory is deleted. */
  @Override
  public void close() {
    stop(temporary);
  }

  private void stop(boolean delete) {
    if (household.guardian().isEmpty() || !release()) {
      return;
    }
    stopAll();
    if (delete) {
      StateDir.delete(stateDir);
    }
  }

  /** After Ctrl-C nobody closes the stack, and its directory has no other owner. */
  private void endWithJvm() {
    stopAll();
    if (temporary) {
      StateDir.delete(stateDir);
    }
  }

  /** Whether it was this call that took the stack out of this JVM's care. */
  private boolean release() {
    memory.close();
    archiving.close();
    try {
      return Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException e) {
      // The JVM is on its way out, and its hook does the rest.
      return false;
    }
  }

  private void stopAll() {
    var processes = children().stream().flatMap(child -> child.handle().stream()).toList();
    if (temporary) {
      Stopping.kill(processes);
    } else {
      Stopping.gently(processes);
    }
    household.guardian().ifPresent(Guardian::close);
    StateDir.unmount(stateDir);
  }

  private MySqlServer server(int port) {
    return serverAt(port)
        .orElseThrow(() -> new DevStackException("no MySQL server of this stack has port " + port));
  }

  private List<MySqlServer> servers() {
    learnOfAdded();
    var servers = new ArrayList<>(members.servers().values());
    servers.addAll(added.values());
    servers.stream().filter(server -> !server.isAlive()).forEach(Child::adopt);
    return servers;
  }

  /** A command that is run beside this may have added servers, or started some again. */
  private void learnOfAdded() {
    if (!StackPlan.isIn(stateDir)) {
      return;
    }
    var now = StackPlan.read(stateDir);
    now.servers()
        .filter(server -> !members.servers().containsKey(server.name()))
        .forEach(
            server ->
                added.computeIfAbsent(
                    server.name(), name -> Members.server(now, server, household)));
    added.values().stream().filter(server -> !server.isAlive()).forEach(Child::adopt);
  }
}
