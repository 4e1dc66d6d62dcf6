package io.cellmesh.operations.promotion;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.operations.topology.ClusterLock;
import io.cellmesh.operations.topology.ServerAnswer;
import io.cellmesh.operations.topology.ServerInquiry;
import io.cellmesh.operations.topology.TopologyRollout;
import io.cellmesh.storage.AddedIds;
import io.cellmesh.storage.EpochTable;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.ShardRun;
import io.cellmesh.storage.replication.Replication;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Promotes a server, stage by stage. Until {@link Stage#CLAIM} a refusal leaves everything as it
 * was, or says that the old master stays fenced, where another command came in between; after it
 * the same call goes on.
 */
public final class Promotion implements AutoCloseable {
  private final DataCenter site;
  private final Pools pools;
  private final ServerInquiry servers;
  private final Topology topology;
  private final StorageCluster cluster;
  private final Server candidate;
  private final LogProgress log;
  private final CandidateCatchUp catchUp;
  private final ClusterLock lock;
  private final OthersKnow others;
  private final List<String> remarks = new ArrayList<>();

  /** Unless somebody gives their word. */
  private boolean othersCount = true;

  /** With no other data centres that have its cells. */
  public Promotion(DataCenter site, String name, String to) throws IOException {
    this(site, name, to, OthersKnow.NOTHING);
  }

  /**
   * @param name of the cluster
   * @param to {@code HOST:PORT} of the server, or its host if no other of the cluster has the same
   * @param others asked whether they have cells that the server lacks
   * @throws OperationException if the cluster has no such server
   */
  public Promotion(DataCenter site, String name, String to, OthersKnow others) throws IOException {
    this.site = site;
    this.others = others;
    this.topology = site.store().read();
    this.cluster = topology.cluster(name);
    this.candidate = server(cluster, to);
    this.pools = new Pools(site.operator(), ServerInquiry.OPTIONS);
    this.servers = new ServerInquiry(pools);
    this.log = new LogProgress(site, topology, cluster);
    this.catchUp = new CandidateCatchUp(servers, log, cluster, candidate, remarks::add);
    this.lock = new ClusterLock(site.operator(), topology, cluster);
  }

  /** As {@link #plan(boolean)} with nobody's word for it that the candidate has everything. */
  public PromotionPlan plan() throws InterruptedException {
    return plan(false);
  }

  /**
   * Looks, and decides what is to be done.
   *
   * @param hasEverything whether somebody gives their word that the candidate lacks nothing, where
   *     no other server and no log can say so, or whatever other data centres say
   * @throws OperationException if it must not be done; nothing was changed
   */
  public PromotionPlan plan(boolean hasEverything) throws InterruptedException {
    var roles = roles();
    var plan = PromotionPlan.of(topology, cluster, candidate, roles, epochs());
    if (!hasEverything) {
      plan.refuseUnproven(roles, log.speaks());
    }
    if (plan.candidateIsListed()) {
      var shown = log.shown();
      plan.refuseRestored(roles, shown, servers.answering(candidate).executed());
    } else if (!plan.oldMasterAnswers()) {
      catchUp.refuseLessThanTheLog(servers.answering(candidate).has());
    }
    othersCount = !hasEverything;
    if (plan.candidateIsListed() && !roles.get(candidate).role().get().open()) {
      refuseLessThanOthersKnow();
    }
    return plan;
  }

  private void refuseLessThanOthersKnow() throws InterruptedException {
    if (!othersCount) {
      return;
    }
    try {
      others
          .lack(topology, cluster, candidate, pools, remarks::add)
          .ifPresent(
              why -> {
                throw OperationException.refused(
                    why
                        + ". Only if those cells may be lost here, or the server is known to have"
                        + " them, say --has-everything");
              });
    } catch (SQLException e) {
      throw OperationException.unavailable(
          "%s: %s".formatted(candidate.address(), e.getMessage()), e);
    }
  }

  /** What a person should know of what was done. */
  public List<String> remarks() {
    return List.copyOf(remarks);
  }

  /**
   * Promotes the candidate.
   *
   * @param done told each stage that is done
   * @return the topology afterwards
   * @throws OperationException if it must not be done after all; until the candidate is claimed
   *     what was changed is changed back
   */
  public Topology run(PromotionPlan plan, OperationListener steps, Consumer<Stage> done)
      throws Exception {
    lock.acquire(candidate);
    refuseOutdated(plan);
    if (!plan.candidateIsListed()) {
      site.store().requireWritable();
    }
    var after = topology;
    // What an interrupted promotion has lost nobody knows any more.
    boolean lossless = false;
    if (!plan.candidateIsListed()) {
      boolean wasOpen = plan.oldMasterAnswers() && servers.answering(cluster.master()).open();
      var roles =
          catchUp.undoing(
              plan,
              wasOpen,
              () -> {
                var compared = catchUp.run(plan, wasOpen, steps, done);
                // Only now are all those cells in its tables that it has received.
                steps.run("compare it with other data centres", step -> refuseLessThanOthersKnow());
                fenceIfItWoke(plan, compared);
                return compared;
              });
      holdLock(plan);
      after = plan.after(roles);
      lossless =
          plan.oldMasterAnswers()
              && after.cluster(cluster.name()).minions().contains(cluster.master());
      try {
        claim(plan, steps, done);
      } catch (Exception e) {
        // Else it has left replication, and only this promotion can go on.
        if (servers.isReplica(candidate)) {
          catchUp.restore(plan, wasOpen, e);
        }
        throw e;
      }
      ids(plan, steps, done);
    } else if (!servers.answering(candidate).open()) {
      compareOnceMore(plan, steps);
    }
    // A promotion that came in between and has ended may have taken the same epoch.
    if (!lock.hold()) {
      TopologyRollout.requireUnchanged(site.store(), cluster);
    }
    tellEpochs(plan, steps, done);
    if (!plan.candidateIsListed()) {
      write(after, steps, done);
    }
    open(plan, after, steps, done);
    followers(after, steps, done);
    connectors(after, lossless, steps, done);
    return after;
  }

  @Override
  public void close() {
    lock.close();
    pools.close();
  }

  private void refuseOutdated(PromotionPlan plan) throws IOException {
    TopologyRollout.requireUnchanged(site.store(), cluster);
    plan.refuseOutdated(epochs());
  }

  /**
   * Whoever came in between, while the lock was lost, may have changed what was planned for, and
   * decides about the old master, too.
   */
  private void holdLock(PromotionPlan plan) throws IOException {
    try {
      if (!lock.hold()) {
        refuseOutdated(plan);
      }
    } catch (OperationException e) {
      throw plan.stayingFenced(e);
    }
  }

  /** With what the log has shown by now; what Connect has stored can be a minute old. */
  private void compareOnceMore(PromotionPlan plan, OperationListener steps) throws Exception {
    steps.run(
        "compare it with its minions and the log",
        step -> {
          log.flush().ifPresent(remarks::add);
          var roles = roles();
          plan.refuseRestored(roles, log.shown(), servers.answering(candidate).executed());
        });
  }

  /** A master that did not answer when it was asked first may do so by now. */
  private void fenceIfItWoke(PromotionPlan plan, Map<Server, ServerAnswer> roles)
      throws SQLException {
    var old = cluster.master();
    if (!roles.get(old).answered()) {
      return;
    }
    var astray = plan.astray(roles);
    if (!plan.oldMasterAnswers()) {
      servers.change(old, Replication::fence);
      remarks.add(
          "the old master %s answers after all: it was fenced%s"
              .formatted(old.address(), astray.isEmpty() ? ", and stays as a minion" : ""));
    }
    astray.ifPresent(
        why ->
            remarks.add(
                "the old master %s is out of the topology, since it %s: make it anew with `cellmesh minion add --cluster %s --server %s --overwrite`"
                    .formatted(old.address(), why, cluster.name(), old.address())));
  }

  private void claim(PromotionPlan plan, OperationListener steps, Consumer<Stage> done)
      throws Exception {
    steps.run(
        "%s leaves replication, with epoch %d".formatted(candidate.address(), plan.epoch()),
        step -> {
          // Opened while it still follows the old master it would go on taking what that commits.
          if (servers.answering(candidate).isReplica()) {
            step.detail("up to a minute if it waits for the rest of a transaction");
            servers.change(candidate, Replication::detach);
            step.detail("");
          }
          servers.change(candidate, Replication::openForAdministrators);
          raiseAll(ServerInquiry.with(topology, promoted(plan)));
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

  private void tellEpochs(PromotionPlan plan, OperationListener steps, Consumer<Stage> done)
      throws Exception {
    var others =
        topology.clusters().stream().filter(c -> !c.name().equals(cluster.name())).toList();
    steps.run(
        "the other clusters learn of epoch " + plan.epoch(),
        step -> {
          var unreached = servers.raise(topology, cluster.name(), plan.epoch(), others);
          if (!unreached.isEmpty()) {
            remarks.add(
                "not reached: %s; they learn of epoch %d from the sink when they are back"
                    .formatted(String.join(", ", unreached), plan.epoch()));
          }
        });
    done.accept(Stage.EPOCHS);
  }

  private void ids(PromotionPlan plan, OperationListener steps, Consumer<Stage> done)
      throws Exception {
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
        });
    done.accept(Stage.IDS);
  }

  private void write(Topology after, OperationListener steps, Consumer<Stage> done)
      throws Exception {
    steps.run(
        site.store().file() + " names the new master",
        step -> TopologyRollout.write(site.store(), after.cluster(cluster.name())));
    done.accept(Stage.TOPOLOGY);
  }

  private void open(
      PromotionPlan plan, Topology after, OperationListener steps, Consumer<Stage> done)
      throws Exception {
    steps.run(
        "open " + candidate.address() + " for writes",
        step -> {
          refuseOvertaken(plan);
          if (!servers.answering(candidate).open()) {
            servers.change(candidate, Replication::openForAdministrators);
            raiseAll(after);
            servers.change(candidate, Replication::open);
          }
        });
    done.accept(Stage.OPEN);
  }

  /** Who has a higher epoch belongs to a promotion that has begun since. */
  private void refuseOvertaken(PromotionPlan plan) {
    epochs()
        .forEach(
            (who, known) -> {
              if (known.getOrDefault(cluster.name(), 0) > plan.epoch()) {
                throw OperationException.refused(
                    "cluster %s knows epoch %d of %s: another server is being promoted, so %s stays closed"
                        .formatted(
                            who, known.get(cluster.name()), cluster.name(), candidate.address()));
              }
            });
  }

  private void followers(Topology after, OperationListener steps, Consumer<Stage> done)
      throws Exception {
    var changed = after.cluster(cluster.name());
    if (!changed.minions().isEmpty()) {
      var follow = new FollowMaster(site, servers, changed, remarks::add);
      steps.run(
          "the other minions follow " + candidate.address(),
          step -> new Followers(changed, remarks::add).run(step, follow));
    }
    done.accept(Stage.MINIONS);
  }

  private void connectors(
      Topology after, boolean lossless, OperationListener steps, Consumer<Stage> done)
      throws Exception {
    var whole = lossless ? Set.of(cluster.name()) : Set.<String>of();
    steps.run(
        "the connectors get the topology",
        step ->
            remarks.addAll(
                TopologyRollout.publish(
                    site, after, cluster.name(), !lossless, whole, step::detail)));
    done.accept(Stage.CONNECTORS);
  }

  /** The master is asked last: what a minion has got meanwhile is from there. */
  private Map<Server, ServerAnswer> roles() {
    var roles = new HashMap<>(servers.roles(cluster.minions()));
    roles.putAll(servers.roles(List.of(cluster.master())));
    return roles;
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
      throw OperationException.invalid(
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
