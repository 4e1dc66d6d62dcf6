package io.cellmesh.testcontainers;

import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import java.util.List;
import java.util.function.Function;

/**
 * The instance of a stack: one data centre with two storage clusters, each of a master and a
 * minion, that have half of the shards each.
 */
record Layout(String instance, Shards shards) {
  static final String DATACENTER = "dc1";

  /** What the containers of MySQL are called. */
  static final List<String> SERVERS = List.of("db1", "db2", "db3", "db4");

  /** Most partitions that a topic has; a test needs no more. */
  private static final int PARTITIONS = 4;

  /**
   * Gives topics as many partitions as the shards allow, up to four.
   *
   * @throws IllegalArgumentException if two clusters could not share the shards
   */
  static Layout of(String instance, int shards) {
    if (shards < 2) {
      throw new IllegalArgumentException(
          "shards: " + shards + " is less than 2, one for each storage cluster");
    }
    int partitions = PARTITIONS;
    while (shards % partitions != 0) {
      partitions--;
    }
    return new Layout(instance, new Shards(shards, partitions));
  }

  /**
   * Makes the shard map.
   *
   * @param at where a server of {@link #SERVERS} is reached
   */
  Topology topology(Function<String, Server> at) {
    int half = shards.count() / 2;
    return new Topology(
        instance,
        shards,
        DATACENTER,
        List.of(
            cluster("c1", 0, half - 1, at, SERVERS.subList(0, 2)),
            cluster("c2", half, shards.count() - 1, at, SERVERS.subList(2, 4))));
  }

  private static StorageCluster cluster(
      String name, int first, int last, Function<String, Server> at, List<String> servers) {
    return new StorageCluster(
        name,
        new ShardSet(List.of(new ShardSet.Range(first, last))),
        1,
        at.apply(servers.get(0)),
        List.of(at.apply(servers.get(1))));
  }

  /**
   * Writes a cellmesh.yaml, which stands beside its {@code topology.yaml}.
   *
   * @param bootstrap where Kafka is reached
   * @param connect where Connect is reached
   * @param secrets the directory that has a file for each role
   */
  String deployment(String bootstrap, String connect, String secrets) {
    return """
        instance: %s
        datacenters:
          - name: %s
            topology: topology.yaml
            kafka: {bootstrap: "%s"}
            connect: {url: "%s"}
            mysql: {user: cellmesh_reader, password: "${directory:%5$s:reader}", ssl: REQUIRED}
            operator: {user: cellmesh_operator, password: "${directory:%5$s:operator}"}
            replication: {user: cellmesh_replication, password: "${directory:%5$s:replication}"}
        """
        .formatted(instance, DATACENTER, bootstrap, connect, secrets);
  }
}
