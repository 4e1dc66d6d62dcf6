package io.cellmesh.operations.promotion;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.operations.log.LogSources;
import io.cellmesh.operations.log.RestoredLog;
import io.cellmesh.operations.topology.ClusterLock;
import io.cellmesh.operations.topology.ServerInquiry;
import io.cellmesh.operations.topology.TopologyRollout;
import io.cellmesh.storage.AddedIds;
import io.cellmesh.storage.EpochTable;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.ShardRun;
import io.cellmesh.storage.replication.Replication;
import io.cellmesh.storage.replication.ServerRole;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;

/**
 * Opens the master of a cluster that lacks what it once had, because its servers come from a
 * backup. It gets an epoch, and so added_ids, beyond all that others know (invariants 9 and 10),
 * and the log goes on behind what it has. The same again goes on after an interruption.
 */
public final class MasterReopening implements AutoCloseable {
  private final DataCenter site;
  private final Topology topology;
  private final StorageCluster cluster;
  private final Server master;
  private final Pools pools;
  private final ServerInquiry servers;

  /**
   * @param name of the cluster
   */
  public MasterReopening(DataCenter site, String name) throws IOException {
    this.site = site;
    this.topology = site.store().read();
    this.cluster = topology.cluster(name);
    this.master = cluster.master();
    this.pools = new Pools(site.operator(), ServerInquiry.OPTIONS);
    this.servers = new ServerInquiry(pools);
  }

  /**
   * Makes sure that the master may become one that nobody has known.
   *
   * @throws OperationException if it does not answer, a minion has more, or it would give GTIDs to
   *     others that stand for transactions already; the message says what to do
   */
  public void check() {
    var role = servers.answering(master);
    role.following()
        .ifPresent(
            following -> {
              throw OperationException.refused(
                  "%s is the master of %s by the topology, but follows %s: look which of them is right"
                      .formatted(master.address(), cluster.name(), following.address()));
            });
    servers
        .roles(cluster.minions())
        .forEach((minion, answer) -> answer.role().ifPresent(r -> refuseLess(role, minion, r)));
    var reused = role.lost(shown());
    if (!reused.isEmpty()) {
      throw OperationException.refused(
          "%s once committed %d transactions that it lacks, and that the log has shown: %s. It was restored from a backup, server_uuid and all, and would give their GTIDs to others. Stop it, delete auto.cnf in its data directory, give it another server_id, and start it; then run this again"
              .formatted(master.address(), reused.count(), reused.brief()));
    }
  }

  private void refuseLess(ServerRole role, Server minion, ServerRole has) {
    var missing = has.has().without(role.executed());
    if (!missing.isEmpty()) {
      throw OperationException.refused(
          "%s, a minion of %s, has %d transactions that the master %s lacks: %s. Run `cellmesh promote --cluster %s --to %s`, and this again afterwards; if that server is no longer wanted, take it out with `cellmesh minion remove`"
              .formatted(
                  minion.address(),
                  cluster.name(),
                  missing.count(),
                  master.address(),
                  missing.brief(),
                  cluster.name(),
                  minion.address()));
    }
  }

  /**
   * Whether the master is closed, lacks what the log has shown, or gives out ids that others know.
   *
   * @param known the highest added_id of each shard that somebody knows
   */
  public boolean isNeeded(IntToLongFunction known) throws SQLException {
    var role = servers.answering(master);
    return !role.open()
        || !shown().without(role.executed()).isEmpty()
        || servers
            .on(master, connection -> new AddedIds(topology).next(connection, cluster.shards()))
            .entrySet()
            .stream()
            .anyMatch(next -> next.getValue() <= known.applyAsLong(next.getKey()));
  }

  /**
   * Gives it an epoch and ids of its own, behind which the log goes on, and writes that down;
   * unless it needs no opening.
   *
   * @param known as for {@link #isNeeded}
   */
  public void claim(IntToLongFunction known, OperationListener steps) throws Exception {
    if (!isNeeded(known)) {
      return;
    }
    check();
    site.store().requireWritable();
    int epoch = epoch(known);
    try (var lock = new ClusterLock(site.operator(), topology, cluster)) {
      lock.acquire(master);
      TopologyRollout.requireUnchanged(site.store(), cluster);
      fence(epoch, steps);
      steps.run(
          "the log of %s goes on behind what %s has".formatted(cluster.name(), master.address()),
          step ->
              new RestoredLog(new LogSources(site.with(topology)))
                  .goOnBehind(cluster, servers.answering(master).executed()));
      steps.run(
          "%s names epoch %d".formatted(site.store().file(), epoch),
          step -> TopologyRollout.write(site.store(), with(epoch)));
    }
  }

  /**
   * Opens it, and has minions and connectors follow. Where that is done it changes nothing, so it
   * is for each cluster: of one that is open an interruption may have left the rest behind.
   *
   * @return what a person should know
   */
  public List<String> open(OperationListener steps) throws Exception {
    try (var promotion = new Promotion(site, cluster.name(), master.address())) {
      promotion.run(promotion.plan(true), steps, stage -> {});
      return promotion.remarks();
    }
  }

  /** Nobody writes from here on, until it is open; its ids are beyond all that are known. */
  private void fence(int epoch, OperationListener steps) throws Exception {
    steps.run(
        "%s gets epoch %d".formatted(master.address(), epoch),
        step -> {
          servers.change(master, Replication::fence);
          servers.change(master, Replication::openForAdministrators);
          servers.change(
              master,
              connection -> new EpochTable(topology).raise(connection, cluster.name(), epoch));
        });
    var shards = cluster.shards().stream().boxed().toList();
    var ids = new AddedIds(topology);
    var count = new AtomicInteger();
    steps.run(
        "its added_ids go on in the range of epoch " + epoch,
        step ->
            ShardRun.run(
                pools,
                master,
                shards,
                (connection, shard) -> {
                  ids.jump(connection, shard, epoch);
                  step.progress(count.incrementAndGet(), shards.size());
                }));
  }

  private StorageCluster with(int epoch) {
    return new StorageCluster(cluster.name(), cluster.shards(), epoch, master, cluster.minions());
  }

  /** Higher than any that somebody has heard of, or whose ids somebody knows. */
  private int epoch(IntToLongFunction known) {
    int heard =
        servers.epochs(topology, cluster, master).values().stream()
            .mapToInt(all -> all.getOrDefault(cluster.name(), 0))
            .max()
            .orElse(0);
    int beyond =
        cluster.shards().stream()
            .map(shard -> AddedIds.epochBeyond(known.applyAsLong(shard)))
            .max()
            .orElse(1);
    return Math.max(Math.max(heard, cluster.epoch()) + 1, beyond);
  }

  private GtidSet shown() {
    return new LogProgress(site, topology, cluster).shown();
  }

  @Override
  public void close() {
    pools.close();
  }
}
