package io.cellmesh.operations.promotion;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.topology.ServerInquiry;
import io.cellmesh.storage.replication.Replication;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Makes a minion follow the new master of its cluster, unless one of them has what the other lacks
 * and will not get.
 *
 * @param cluster with its new master
 * @param remark told why a minion does not follow it
 */
record FollowMaster(
    DataCenter site, ServerInquiry servers, StorageCluster cluster, Consumer<String> remark)
    implements Followers.Follow {

  @Override
  public void run(Server minion) throws SQLException {
    var role = servers.roles(List.of(minion)).get(minion).role();
    if (role.isEmpty()) {
      remark.accept(
          "%s does not answer. Until it does, or `cellmesh minion remove --cluster %s --server %s` takes it out, the buffers keep the copies of %s; when it is back, run this command once more"
              .formatted(minion.address(), cluster.name(), minion.address(), cluster.name()));
      return;
    }
    var master = cluster.master();
    boolean follows =
        role.get()
            .following()
            .filter(f -> f.address().equals(master.address()) && f.receives() && f.applies())
            .isPresent();
    if (follows) {
      return;
    }
    var executed = servers.answering(master).executed();
    var more = role.get().executed().without(executed);
    if (!more.isEmpty()) {
      remark.accept(
          "%s has transactions that the new master lacks (%s) and does not follow it: take it out with `cellmesh minion remove` and make it anew"
              .formatted(minion.address(), more.brief()));
      return;
    }
    var lost = role.get().lost(executed);
    if (!lost.isEmpty()) {
      remark.accept(
          "%s lacks what it once committed itself (%s), so it was restored from a backup, and does not follow the new master: make it anew with `cellmesh minion add --cluster %s --server %s --overwrite`"
              .formatted(minion.address(), lost.brief(), cluster.name(), minion.address()));
      return;
    }
    servers.change(
        minion,
        connection -> {
          Replication.close(connection);
          var known = role.get().isReplica();
          Replication.follow(
              connection,
              master,
              known ? Optional.empty() : Optional.of(site.replication()),
              site.operator().tls().mode());
        });
  }
}
