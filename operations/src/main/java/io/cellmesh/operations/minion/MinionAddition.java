package io.cellmesh.operations.minion;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.operations.topology.ClusterLock;
import io.cellmesh.operations.topology.ServerAnswer;
import io.cellmesh.operations.topology.ServerInquiry;
import io.cellmesh.operations.topology.TopologyRollout;
import io.cellmesh.storage.InstanceTable;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.ServerChecks;
import io.cellmesh.storage.ServerFinding;
import io.cellmesh.storage.replication.CloneSeed;
import io.cellmesh.storage.replication.Replication;
import io.cellmesh.storage.replication.ServerRole;
import io.cellmesh.storage.replication.ServerRole.Following;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes a server a minion: seeds it with a clone of another server of the cluster if it can't just
 * go on from where it stands, lets it follow the master, and lists it once it has caught up. Called
 * again after an interruption it goes on.
 */
public final class MinionAddition implements AutoCloseable {
  private static final Duration BACK = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(200);

  /** Of a master; minions have no packet to fit. */
  private static final int ANY_BODY = 1 << 20;

  private final DataCenter site;
  private final Pools pools;
  private final ServerInquiry servers;
  private final Topology topology;
  private final StorageCluster cluster;
  private final List<String> remarks = new ArrayList<>();

  public MinionAddition(DataCenter site, String cluster) throws IOException {
    this.site = site;
    this.topology = site.store().read();
    this.cluster = topology.cluster(cluster);
    this.pools = new Pools(site.operator(), ServerInquiry.OPTIONS);
    this.servers = new ServerInquiry(pools);
  }

  /** What a person should know of what was done. */
  public List<String> remarks() {
    return List.copyOf(remarks);
  }

  /** Databases that would be deleted; none if the server joins with what it has. */
  public List<String> overwritten(Server server) throws SQLException {
    return joinsAsItIs(server) ? List.of() : servers.on(server, CloneSeed::databases);
  }

  /**
   * Makes a server a minion of the cluster.
   *
   * @return the topology afterwards
   * @throws OperationException naming what is wrong with the server, or what did not answer
   */
  public Topology run(ServerHost machine, OperationListener steps) throws Exception {
    var server = machine.server();
    requireElsewhere(server);
    site.store().requireWritable();
    // An old master that woke may still have writers; then what it has is no longer what it had.
    servers.change(server, Replication::fence);
    if (!joinsAsItIs(server)) {
      var donor = donor(server);
      steps.run(
          "clone %s to %s".formatted(donor.address(), server.address()),
          step -> {
            servers.change(donor, CloneSeed::prepare);
            servers.change(server, CloneSeed::prepare);
            servers.change(server, c -> CloneSeed.run(c, donor, site.operator()));
            step.detail("it starts again");
            machine.startAfterClone();
            awaitBack(server);
          });
    }
    steps.run(
        "%s follows %s".formatted(server.address(), cluster.master().address()),
        step -> join(server, step));
    return publish(server, steps);
  }

  @Override
  public void close() {
    pools.close();
  }

  private static StorageCluster with(StorageCluster cluster, Server server) {
    var minions = new ArrayList<>(cluster.minions());
    if (minions.stream().noneMatch(minion -> minion.address().equals(server.address()))) {
      minions.add(server);
    }
    return new StorageCluster(
        cluster.name(), cluster.shards(), cluster.epoch(), cluster.master(), minions);
  }

  /**
   * A clone takes long, and the topology may be another one by now. A promotion that is under way
   * has read the list of minions before, and would write it without this one.
   */
  private Topology publish(Server server, OperationListener steps) throws Exception {
    try (var lock = new ClusterLock(site.operator(), site.store().read(), cluster)) {
      lock.acquire(cluster.master());
      var present = site.store().read();
      var after = ServerInquiry.with(present, with(sameMaster(present), server));
      steps.run(
          "the topology and the connectors list it",
          step -> {
            // Once more it would take the place of what is kept as the file before.
            if (!after.equals(present)) {
              site.store().write(after);
            }
            remarks.addAll(
                TopologyRollout.publish(
                    site, after, cluster.name(), false, Set.of(), step::detail));
          });
      return after;
    }
  }

  private StorageCluster sameMaster(Topology present) {
    var now = present.cluster(cluster.name());
    if (!now.master().equals(cluster.master())) {
      throw OperationException.refused(
          "%s became the master of %s meanwhile, in place of %s; run this once more, so that the minion follows it"
              .formatted(now.master().address(), now.name(), cluster.master().address()));
    }
    return now;
  }

  private void requireElsewhere(Server server) {
    for (var other : topology.clusters()) {
      boolean itsMaster = other.master().address().equals(server.address());
      boolean anothers =
          !other.name().equals(cluster.name())
              && other.servers().stream().anyMatch(s -> s.address().equals(server.address()));
      if (itsMaster || anothers) {
        throw OperationException.invalid(
            "%s is a server of cluster %s already".formatted(server.address(), other.name()));
      }
    }
  }

  /**
   * Whether it has nothing that the master lacks, and can get all the rest: the master's binlogs
   * have it, and none of it is what a server that was restored from a backup once committed itself.
   */
  private boolean joinsAsItIs(Server server) throws SQLException {
    var role = servers.on(server, this::roleInInstance);
    if (role.isEmpty()) {
      return false;
    }
    var has = role.get().executed();
    return servers.on(
        cluster.master(),
        connection -> {
          var executed = ServerRole.of(connection).executed();
          return executed.containsAll(has)
              && has.containsAll(purged(connection))
              && role.get().lost(executed).isEmpty();
        });
  }

  /** Empty if it does not know the instance. */
  private Optional<ServerRole> roleInInstance(Connection connection) throws SQLException {
    return InstanceTable.exists(connection, topology)
        ? Optional.of(ServerRole.of(connection))
        : Optional.empty();
  }

  private static GtidSet purged(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT @@GLOBAL.gtid_purged")) {
      row.next();
      return GtidSet.parse(row.getString(1));
    }
  }

  private Server donor(Server server) {
    // The master is asked last: what a minion has got meanwhile is from there.
    var roles = servers.roles(cluster.minions());
    return donor(cluster, server, roles, servers.answering(cluster.master()).executed());
  }

  /**
   * Chooses whose clone a server becomes: a minion if one is sound, since a clone is work for who
   * gives it. The clone of one that can't follow the master could not follow it either.
   *
   * @param executed what the master has
   */
  static Server donor(
      StorageCluster cluster, Server server, Map<Server, ServerAnswer> roles, GtidSet executed) {
    return cluster.minions().stream()
        .filter(minion -> !minion.address().equals(server.address()))
        .filter(minion -> roles.get(minion).role().filter(r -> isSound(r, executed)).isPresent())
        .findFirst()
        .orElse(cluster.master());
  }

  private static boolean isSound(ServerRole minion, GtidSet executed) {
    return minion.following().filter(Following::works).isPresent()
        && executed.containsAll(minion.executed())
        && minion.lost(executed).isEmpty();
  }

  private void awaitBack(Server server) throws InterruptedException {
    if (!Waiting.within(BACK, POLL, () -> servers.roles(List.of(server)).get(server).answered())) {
      throw OperationException.unavailable(
          "%s has been cloned and stopped, and nobody has started it again: start its mysqld, then run this once more"
              .formatted(server.address()));
    }
  }

  private void join(Server server, OperationListener.Step step)
      throws SQLException, InterruptedException {
    servers.change(
        server,
        connection -> {
          Replication.close(connection);
          Replication.follow(
              connection,
              cluster.master(),
              Optional.of(site.replication()),
              site.operator().tls().mode());
        });
    var refused =
        servers
            .on(
                server,
                c ->
                    new ServerChecks(ServerFinding.Severity.WARN, ANY_BODY)
                        .check(c, with(cluster, server), server))
            .stream()
            .filter(ServerFinding::refused)
            .map(ServerFinding::text)
            .collect(Collectors.joining("\n"));
    if (!refused.isEmpty()) {
      throw OperationException.refused(refused);
    }
    var wanted = servers.role(cluster.master()).executed();
    var works = new AtomicLong(System.nanoTime());
    Waiting.until(
        POLL,
        () -> {
          var role = servers.role(server);
          var following = role.following().orElseThrow();
          var missing = wanted.without(role.executed());
          // One that lacks nothing may never have been let in, and gets nothing more.
          if (missing.isEmpty() && following.works()) {
            return true;
          }
          requireOwn(server, role, wanted);
          step.detail(
              following.refusal().isEmpty()
                  ? missing.count() + " transactions left"
                  : following.refusal());
          if (following.works() && !following.retrieved().isEmpty()) {
            works.set(System.nanoTime());
          }
          boolean stuck = System.nanoTime() - works.get() > BACK.toNanos();
          requireFollowing(server, cluster.master(), following, stuck);
          return false;
        });
  }

  /** One that was cloned from a server which had not caught up may lack what it was master for. */
  private static void requireOwn(Server server, ServerRole role, GtidSet wanted) {
    var lost = role.lost(wanted);
    if (!lost.isEmpty()) {
      throw OperationException.refused(
          "%s lacks %d transactions that it once committed itself (%s), and never gets them by following: run this once more, so that it is cloned"
              .formatted(server.address(), lost.count(), lost.brief()));
    }
  }

  /**
   * @param stuck whether it has not followed for a while
   * @throws OperationException if it does not, and will not, in MySQL's words where it has some
   */
  static void requireFollowing(Server server, Server master, Following following, boolean stuck) {
    if (!following.error().isEmpty() || !following.receives() || stuck) {
      var why =
          Stream.of(following.error(), following.refusal(), "it receives nothing")
              .filter(text -> !text.isEmpty())
              .findFirst();
      throw OperationException.failed(
          "%s does not follow %s: %s; look at SHOW REPLICA STATUS there"
              .formatted(server.address(), master.address(), why.orElseThrow()));
    }
  }
}
