package io.cellmesh.operations.promotion;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener.Step;
import java.sql.SQLException;
import java.util.function.Consumer;

/**
 * The minions of a cluster that has a new master. One that can't follow it holds up nobody: the
 * cells of the cluster wait until the connectors know the master, and the buffers keep what that
 * minion lacks.
 *
 * @param cluster with its new master
 * @param remark told what a person should know
 */
record Followers(StorageCluster cluster, Consumer<String> remark) {

  /** Makes a server follow the master. */
  @FunctionalInterface
  interface Follow {
    void run(Server minion) throws SQLException;
  }

  /** Returns when all follow that can. */
  void run(Step step, Follow follow) {
    for (var minion : cluster.minions()) {
      step.detail(minion.address());
      try {
        follow.run(minion);
      } catch (SQLException | DeploymentException | OperationException e) {
        remark.accept(
            "%s does not follow %s: %s. Mend that and run this command once more; until then, or until `cellmesh minion remove --cluster %s --server %s` takes it out, the buffers keep the copies of %s"
                .formatted(
                    minion.address(),
                    cluster.master().address(),
                    e.getMessage(),
                    cluster.name(),
                    minion.address(),
                    cluster.name()));
      }
    }
  }
}
