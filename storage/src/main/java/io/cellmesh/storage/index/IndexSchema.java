package io.cellmesh.storage.index;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexDefinitionException;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.ShardRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

/** Creates an index's tables on the masters, all clusters at once. */
public final class IndexSchema {
  private final Topology topology;
  private final IndexDefinition definition;
  private final IndexTable table;
  private final Pools pools;

  public IndexSchema(Topology topology, IndexDefinition definition, Pools pools) {
    this.topology = topology;
    this.definition = definition;
    this.table = new IndexTable(topology.instance(), definition);
    this.pools = pools;
  }

  /**
   * Creates what is missing; can be called again after a failure.
   *
   * @param progress called with the number of shards done since the last call, from any thread
   * @throws IndexDefinitionException if tables of another definition stand under the name
   */
  public void create(IntConsumer progress) throws SQLException, InterruptedException {
    var threads = Executors.newFixedThreadPool(topology.clusters().size());
    try {
      var works = new ArrayList<Callable<Void>>();
      for (var cluster : topology.clusters()) {
        works.add(
            () -> {
              create(cluster, progress);
              return null;
            });
      }
      for (var result : threads.invokeAll(works)) {
        await(result);
      }
    } finally {
      threads.shutdown();
    }
  }

  /** Drops the tables on every shard; those that are gone already are no fault. */
  public void drop() throws SQLException {
    for (var cluster : topology.clusters()) {
      ShardRun.run(
          pools,
          cluster.master(),
          new TreeSet<>(cluster.shards().stream().boxed().toList()),
          (connection, shard) -> {
            try (var statement = connection.createStatement()) {
              statement.execute("DROP TABLE IF EXISTS " + table.name(shard));
            }
          });
    }
  }

  /** Whether the tables of this very definition stand on all shards of a cluster. */
  public boolean exists(StorageCluster cluster) throws SQLException {
    try (var connection = pools.open(cluster.master())) {
      return comments(connection, cluster).size() == cluster.shards().stream().count();
    }
  }

  private void create(StorageCluster cluster, IntConsumer progress) throws SQLException {
    var missing = new TreeSet<>(cluster.shards().stream().boxed().toList());
    try (var connection = pools.open(cluster.master())) {
      var existing = Set.copyOf(comments(connection, cluster));
      missing.removeIf(shard -> existing.contains(Names.database(topology.instance(), shard)));
    }
    progress.accept((int) cluster.shards().stream().count() - missing.size());
    ShardRun.run(
        pools,
        cluster.master(),
        missing,
        (connection, shard) -> {
          try (var statement = connection.createStatement()) {
            statement.execute(table.createStatement(shard));
          }
          progress.accept(1);
        });
    try (var connection = pools.open(cluster.master())) {
      comments(connection, cluster);
    }
  }

  private List<String> comments(Connection connection, StorageCluster cluster) throws SQLException {
    var databases =
        cluster.shards().stream()
            .mapToObj(shard -> Names.database(topology.instance(), shard))
            .collect(Collectors.toSet());
    var found = new ArrayList<String>();
    try (var query =
        connection.prepareStatement(
            "SELECT table_schema, table_comment FROM information_schema.tables WHERE table_name = ?")) {
      query.setString(1, definition.tableName());
      try (var rows = query.executeQuery()) {
        while (rows.next()) {
          if (databases.contains(rows.getString(1))) {
            check(cluster, rows.getString(1), rows.getString(2));
            found.add(rows.getString(1));
          }
        }
      }
    }
    return found;
  }

  private void check(StorageCluster cluster, String database, String comment) {
    if (!comment.equals(table.comment())) {
      throw new IndexDefinitionException(
          "table: %s.%s on %s belongs to another definition of %s; give this one another name, or drop that one's tables"
              .formatted(database, definition.tableName(), cluster.name(), definition.name()));
    }
  }

  private static void await(Future<Void> result) throws SQLException, InterruptedException {
    try {
      result.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw new SQLException(
            cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
      }
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
