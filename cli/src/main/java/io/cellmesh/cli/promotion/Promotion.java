package io.cellmesh.cli.promotion;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cli.cluster.ClusterServers;
import io.cellmesh.cli.cluster.ClusterSite;
import io.cellmesh.cli.cluster.MapChange;
import io.cellmesh.cli.cluster.ServerAnswer;
import io.cellmesh.cli.outcome.CliException;
import io.cellmesh.cli.terminal.Steps;
import io.cellmesh.storage.AddedIds;
import io.cellmesh.storage.EpochTable;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.ShardRun;
import io.cellmesh.storage.replication.GtidSet;
import io.cellmesh.storage.replication.Replication;
import io.cellmesh.storage.replication.ServerRole;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Promotes a server, stage by stage. Until {@link Stage#CLAIM} a refusal leaves everything as it
 * was; after it the same call goes on.
 */
public final class Promotion implements AutoCloseable {
  private static final Duration STALL = Duration.ofSeconds(20);
  private static final long POLL_MILLIS = 100;

  private final ClusterSite site;
  private final Pools pools;
  private final ClusterServers servers;
  private final LogProgress log;
  private final Topology topology;
  private final StorageCluster cluster;
  private final Server candidate;
  private final PromotionLock lock;
  private final List<String> remarks = new ArrayList<>();

  /**
   * @param name of the cluster
   * @param to {@code HOST:PORT} of the server, or its host if no other of the cluster has the same
   * @throws CliException if the cluster has no such server
   */
  public Promotion(ClusterSite site, String name, String to) throws IOException {
    this.site = site;
    this.topology = site.topology().read();
    this.cluster = topology.cluster(name);
    this.candidate = server(cluster, to);
    this.pools = new Pools(site.credentials(), ClusterServers.OPTIONS);
    this.servers = new ClusterServers(pools);
    this.log = new LogProgress(site, topology, cluster);
    this.lock = new PromotionLock(site.credentials(), topology, cluster);
  }

  /**
   * Looks, and decides what is to be done.
   *
   * @throws CliException if it must not be done; nothing was changed
   */
  public PromotionPlan plan() {
    var plan = PromotionPlan.of(topology, cluster, candidate, roles(), epochs());
    if (!plan.candidateIsListed() && !plan.oldMasterAnswers()) {
      refuseLessThanTheLog(role(candidate).has(), log.shown());
    }
    return plan;
  }

  /** What a person should know of what was done. */
  public List<String> remarks() {
    return List.copyOf(remarks);
  }

  /**
   * Does it.
   *
   * @param done told each stage that is done
   * @return the shard map afterwards
   * @throws CliException if it must not be done after all; until the candidate is claimed what was
   *     changed is changed back
   */
  public Topology run(PromotionPlan plan, Steps steps, Consumer<Stage> done) throws Exception {
    lock.acquire(candidate);
    var after = topology;
    // What an interrupted promotion has lost nobody knows any more.
    boolean lossless = false;
    if (!plan.candidateIsListed()) {
      boolean wasOpen = plan.oldMasterAnswers() && role(cluster.master()).open();
      Map<Server, ServerAnswer> roles;
      try {
        roles = takeOver(plan, steps, done);
      } catch (CliException | SQLException e) {
        restore(plan, wasOpen, e);
        throw e;
      }
      after = plan.after(roles);
      fenceIfItWoke(plan, after, roles);
      lossless =
          plan.oldMasterAnswers()
              && after.cluster(cluster.name()).minions().contains(cluster.master());
      claim(plan, steps, done);
      ids(plan, steps, done);
    }
    tellEpochs(plan, steps, done);
    if (!plan.candidateIsListed()) {
      write(after, steps, done);
    }
    open(plan, after, steps, done);
    followers(after, steps, done);
    connectors(after, !lossless, steps, done);
    return after;
  }

  @Override
  public void close() {
    lock.close();
    pools.close();
  }

  /** Returns what the servers are when the candidate has all that it can get. */
  private Map<Server, ServerAnswer> takeOver(PromotionPlan plan, Steps steps, Consumer<Stage> done)
      throws Exception {
    var old = cluster.master();
    if (plan.oldMasterAnswers()) {
      steps.run(
          "fence the old master " + old.address(),
          step -> {
            servers.change(old, Replication::fence);
            step.result("the old master " + old.address() + " takes no writes any more");
            return null;
          });
    }
    done.accept(Stage.FENCE);
    if (!plan.oldMasterAnswers()) {
      steps.run(
          "cut the minions off from " + old.address(),
          step -> {
            for (var minion : cluster.minions()) {
              if (isReplica(minion)) {
                servers.change(minion, Replication::stopReceiving);
              }
            }
            return null;
          });
    }
    done.accept(Stage.CUT_OFF);
    steps.run(
        candidate.address() + " commits what it has received",
        step -> {
          apply(plan, step);
          return null;
        });
    done.accept(Stage.APPLY);
    var compared =
        steps.run(
            "compare it with the other minions and the log",
            step -> {
              if (!plan.oldMasterAnswers()) {
                log.flush().ifPresent(remarks::add);
              }
              var roles = roles();
              plan.refuseLessThanOthers(roles);
              var executed = role(candidate).executed();
              refuseLessThanTheLog(executed, log.shown());
              step.result(
                  "%s has %d transactions: all that the other minions and the log have"
                      .formatted(candidate.address(), executed.count()));
              return roles;
            });
    done.accept(Stage.COMPARE);
    return compared;
  }

  /** A master that did not answer when it was asked first may do so by now. */
  private void fenceIfItWoke(PromotionPlan plan, Topology after, Map<Server, ServerAnswer> roles)
      throws SQLException {
    var old = cluster.master();
    if (!plan.oldMasterAnswers() && roles.get(old).answered()) {
      servers.change(old, Replication::fence);
      boolean stays = after.cluster(cluster.name()).minions().contains(old);
      remarks.add(
          "the old master %s answers after all: it was fenced, and %s"
              .formatted(
                  old.address(),
                  stays
                      ? "stays as a minion"
                      : "has transactions that the new master lacks, so it is out of the topology"));
    }
  }

  private void apply(PromotionPlan plan, Steps.Step step)
      throws SQLException, InterruptedException {
    if (!isReplica(candidate)) {
      return;
    }
    GtidSet wanted;
    if (plan.oldMasterAnswers()) {
      wanted = servers.role(cluster.master()).executed();
      servers.change(candidate, Replication::receive);
    } else {
      servers.change(candidate, Replication::apply);
      wanted = servers.role(candidate).has();
    }
    long least = Long.MAX_VALUE;
    long shrunk = System.nanoTime();
    while (true) {
      var role = servers.role(candidate);
      var missing = wanted.without(role.executed());
      if (missing.isEmpty()) {
        return;
      }
      if (missing.count() < least) {
        least = missing.count();
        shrunk = System.nanoTime();
      }
      boolean stalls = System.nanoTime() - shrunk > STALL.toNanos();
      var error = role.following().map(ServerRole.Following::error).orElse("");
      if (stalls || (!error.isEmpty() && !role.following().get().applies())) {
        throw CliException.failed(lacking(plan, missing, error));
      }
      step.detail(missing.count() + " transactions left");
      Thread.sleep(POLL_MILLIS);
    }
  }

  private String lacking(PromotionPlan plan, GtidSet missing, String error) {
    return "%s lacks %d transactions that %s, and does not get on: %s%s. Look at SHOW REPLICA STATUS there, or promote another minion"
        .formatted(
            candidate.address(),
            missing.count(),
            plan.oldMasterAnswers()
                ? "the old master " + cluster.master().address() + " has"
                : "it has received",
            missing.brief(),
            error.isEmpty() ? "" : "; it says: " + error);
  }

  private void claim(PromotionPlan plan, Steps steps, Consumer<Stage> done) throws Exception {
    steps.run(
        "%s leaves replication, with epoch %d".formatted(candidate.address(), plan.epoch()),
        step -> {
          if (isReplica(candidate)) {
            servers.change(candidate, Replication::detach);
          }
          servers.change(candidate, Replication::openForAdministrators);
          raiseAll(ClusterServers.with(topology, promoted(plan)));
          return null;
        });
    done.accept(Stage.CLAIM);
  }

  private StorageCluster promoted(PromotionPlan plan) {
    return new StorageCluster(
        cluster.name(), cluster.shards(), plan.epoch(), cluster.master(), cluster.minions());
  }

  /** A minion may have missed a promotion of another cluster, too. */
  private void raiseAll(Topology epochs) throws SQLException {
    var table = new EpochTable(topology);
    servers.change(
        candidate,
        connection -> {
          for (var each : epochs.clusters()) {
            table.raise(connection, each.name(), each.epoch());
          }
        });
  }

  private void tellEpochs(PromotionPlan plan, Steps steps, Consumer<Stage> done) throws Exception {
    var table = new EpochTable(topology);
    steps.run(
        "the other clusters learn of epoch " + plan.epoch(),
        step -> {
          var unreached = new ArrayList<String>();
          for (var other : topology.clusters()) {
            if (!other.name().equals(cluster.name())) {
              try {
                servers.change(other.master(), c -> table.raise(c, cluster.name(), plan.epoch()));
              } catch (SQLException e) {
                unreached.add(other.name() + " (" + other.master().address() + ")");
              }
            }
          }
          if (!unreached.isEmpty()) {
            remarks.add(
                "not reached: %s; they learn of epoch %d from the sink when they are back"
                    .formatted(String.join(", ", unreached), plan.epoch()));
          }
          return null;
        });
    done.accept(Stage.EPOCHS);
  }

  private void ids(PromotionPlan plan, Steps steps, Consumer<Stage> done) throws Exception {
    var shards = cluster.shards().stream().boxed().toList();
    var ids = new AddedIds(topology);
    var count = new AtomicInteger();
    steps.run(
        "added_ids go on in the range of epoch " + plan.epoch(),
        step -> {
          ShardRun.run(
              pools,
              candidate,
              shards,
              (connection, shard) -> {
                ids.jump(connection, shard, plan.epoch());
                step.progress(count.incrementAndGet(), shards.size());
              });
          return null;
        });
    done.accept(Stage.IDS);
  }

  private void write(Topology after, Steps steps, Consumer<Stage> done) throws Exception {
    steps.run(
        site.topology().file() + " names the new master",
        step -> {
          site.topology().write(after);
          return null;
        });
    done.accept(Stage.TOPOLOGY);
  }

  private void open(PromotionPlan plan, Topology after, Steps steps, Consumer<Stage> done)
      throws Exception {
    steps.run(
        "open " + candidate.address() + " for writes",
        step -> {
          refuseOvertaken(plan);
          if (!role(candidate).open()) {
            servers.change(candidate, Replication::openForAdministrators);
            raiseAll(after);
            servers.change(candidate, Replication::open);
          }
          return null;
        });
    done.accept(Stage.OPEN);
  }

  /** Who has a higher epoch belongs to a promotion that has begun since. */
  private void refuseOvertaken(PromotionPlan plan) {
    epochs()
        .forEach(
            (who, known) -> {
              if (known.getOrDefault(cluster.name(), 0) > plan.epoch()) {
                throw CliException.failed(
                    "cluster %s knows epoch %d of %s: another server is being promoted, so %s stays closed"
                        .formatted(
                            who, known.get(cluster.name()), cluster.name(), candidate.address()));
              }
            });
  }

  private void followers(Topology after, Steps steps, Consumer<Stage> done) throws Exception {
    var minions = after.cluster(cluster.name()).minions();
    if (!minions.isEmpty()) {
      steps.run(
          "the other minions follow " + candidate.address(),
          step -> {
            for (var minion : minions) {
              step.detail(minion.address());
              follow(minion);
            }
            return null;
          });
    }
    done.accept(Stage.MINIONS);
  }

  private void follow(Server minion) throws SQLException {
    var role = servers.roles(List.of(minion)).get(minion).role();
    if (role.isEmpty()) {
      remarks.add(
          "%s does not answer. Until it does, or `cellmesh minion remove --cluster %s --server %s` takes it out, the buffers keep the copies of %s; when it is back, run this command once more"
              .formatted(minion.address(), cluster.name(), minion.address(), cluster.name()));
      return;
    }
    boolean follows =
        role.get()
            .following()
            .filter(f -> f.address().equals(candidate.address()) && f.receives() && f.applies())
            .isPresent();
    if (follows) {
      return;
    }
    var more = role.get().executed().without(role(candidate).executed());
    if (!more.isEmpty()) {
      remarks.add(
          "%s has transactions that the new master lacks (%s) and does not follow it: take it out with `cellmesh minion remove` and make it anew"
              .formatted(minion.address(), more.brief()));
      return;
    }
    servers.change(
        minion,
        connection -> {
          Replication.close(connection);
          var known = role.get().isReplica();
          Replication.follow(
              connection, candidate, known ? Optional.empty() : Optional.of(site.replication()));
        });
  }

  private void connectors(Topology after, boolean again, Steps steps, Consumer<Stage> done)
      throws Exception {
    steps.run(
        "the connectors get the topology",
        step -> {
          remarks.addAll(MapChange.publish(site, after, again, step::detail));
          return null;
        });
    done.accept(Stage.CONNECTORS);
  }

  private void refuseLessThanTheLog(GtidSet executed, GtidSet shown) {
    var missing = shown.without(executed);
    if (!missing.isEmpty()) {
      throw CliException.failed(
          "%s lacks %d transactions whose cells the log has shown: %s. A promotion would take them back. Promote another minion, or bring the old master back, start replication on %s and run this again"
              .formatted(
                  candidate.address(), missing.count(), missing.brief(), candidate.address()));
    }
  }

  /** As it was before; what can't be restored is told. */
  private void restore(PromotionPlan plan, boolean wasOpen, Exception cause) {
    if (wasOpen) {
      attempt(cause, () -> servers.change(cluster.master(), Replication::open));
    }
    if (!plan.oldMasterAnswers()) {
      for (var minion : cluster.minions()) {
        attempt(
            cause,
            () -> {
              if (isReplica(minion)) {
                servers.change(minion, Replication::receive);
              }
            });
      }
    }
  }

  private interface Attempt {
    void run() throws SQLException;
  }

  private static void attempt(Exception cause, Attempt attempt) {
    try {
      attempt.run();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  private boolean isReplica(Server server) {
    return servers
        .roles(List.of(server))
        .get(server)
        .role()
        .filter(ServerRole::isReplica)
        .isPresent();
  }

  private ServerRole role(Server server) {
    var answer = servers.roles(List.of(server)).get(server);
    return answer
        .role()
        .orElseThrow(
            () ->
                CliException.environment(
                    server.address() + " does not answer any more: " + answer.silence()));
  }

  private Map<Server, ServerAnswer> roles() {
    return servers.roles(cluster.servers());
  }

  private Map<String, Map<String, Integer>> epochs() {
    return servers.epochs(topology, cluster, candidate);
  }

  private static Server server(StorageCluster cluster, String to) {
    var found =
        cluster.servers().stream()
            .filter(s -> s.address().equals(to) || s.host().equals(to))
            .toList();
    if (found.size() != 1) {
      throw CliException.usage(
          "--to: cluster %s has %s \"%s\"; it has the minions %s and the master %s"
              .formatted(
                  cluster.name(),
                  found.isEmpty() ? "no server" : "several servers on",
                  to,
                  cluster.minions().stream().map(Server::address).toList(),
                  cluster.master().address()));
    }
    return found.get(0);
  }
}
