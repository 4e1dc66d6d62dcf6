package io.cellmesh.operations.capacity;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.OperationException;

/**
 * How an instance is laid out. All data centres are taken to be alike.
 *
 * @param datacenters D
 * @param clusters C, storage clusters of a data centre
 * @param minions of each cluster
 * @param shards S and P
 * @param tasks T, of the sink
 * @param passes index passes, each with a sink task of its own
 * @param connectWorkers processes that share the connectors of a data centre
 * @param httpWorkers of a data centre
 * @param brokers of a data centre
 * @param replication of its topics
 */
public record Layout(
    int datacenters,
    int clusters,
    int minions,
    Shards shards,
    int tasks,
    int passes,
    int connectWorkers,
    int httpWorkers,
    int brokers,
    int replication) {

  /**
   * @throws OperationException naming the figure and the rule
   */
  public Layout {
    require(datacenters >= 1, "data centres: at least 1");
    require(clusters >= 2, "clusters: at least 2, since each one's copies lie on another");
    require(clusters <= shards.count(), "clusters: at most as many as shards");
    require(minions >= 0, "minions: not negative");
    require(tasks >= 1, "tasks: at least 1");
    require(passes >= 0 && httpWorkers >= 0, "index passes and HTTP workers: not negative");
    require(connectWorkers >= 1, "Connect workers: at least 1");
    require(brokers >= 1, "brokers: at least 1");
    require(
        replication >= 1 && replication <= brokers, "replication: from 1 to the number of brokers");
  }

  /** Completes a layout with the usual rest: two sink tasks on one worker, one broker, no index. */
  public static Layout of(int clusters, int minions, Shards shards) {
    return new Layout(1, clusters, minions, shards, 2, 0, 1, 0, 1, 1);
  }

  /** Reads what a deployment has: its largest data centre counts for each. */
  public static Layout of(Deployment deployment) {
    var layout = of(2, 0, deployment.shards());
    int clusters = 2;
    int minions = 0;
    int workers = 0;
    for (var dc : deployment.datacenters()) {
      clusters = Math.max(clusters, dc.topology().clusters().size());
      minions = Math.max(minions, minions(dc.topology()));
      workers = Math.max(workers, dc.workers().size());
    }
    return new Layout(
        deployment.datacenters().size(),
        clusters,
        minions,
        layout.shards,
        layout.tasks,
        layout.passes,
        layout.connectWorkers,
        workers,
        layout.brokers,
        layout.replication);
  }

  private static int minions(Topology topology) {
    return topology.clusters().stream().mapToInt(c -> c.minions().size()).max().orElse(0);
  }

  /** MySQL servers of a data centre. */
  int servers() {
    return clusters * (1 + minions);
  }

  /** Sink tasks that have something to do: no more than partitions. */
  int busyTasks() {
    return Math.min(tasks, shards.partitions());
  }

  /** Partitions of one ingest topic that a busy task has. */
  double partitionsOfTask() {
    return (double) shards.partitions() / busyTasks();
  }

  /** Shards of these partitions, over all clusters. */
  double shardsOfTask() {
    return (double) shards.count() / busyTasks();
  }

  /** Clusters that have shards in a partition: with fewer shards than clusters in it not all. */
  double clustersOfPartition() {
    return Math.min(clusters, shardsOfPartition());
  }

  /**
   * Clusters that have shards in a busy task's partitions. The shards of a cluster follow each
   * other, and so do the partitions of shards that follow each other, and those of a task: where
   * the shards of a cluster are few they are all of one task.
   */
  double clustersOfTask() {
    return Math.min(clusters, Math.max((double) clusters / busyTasks(), shardsOfPartition()));
  }

  private double shardsOfPartition() {
    return (double) shards.count() / shards.partitions();
  }

  /** Ingest topics that bring cells: this data centre's own, and its peers'. */
  int ingestTopics() {
    return datacenters > 1 ? 2 : 1;
  }

  /** Shards of the largest cluster. */
  int shardsOfCluster() {
    return (shards.count() + clusters - 1) / clusters;
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw OperationException.invalid(rule);
    }
  }
}
