package io.cellmesh.storage.index;

import static java.util.stream.Collectors.groupingBy;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.devstack.SharedMasters;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An index on {@link SharedMasters}; it and the cells' tables are empty when a test begins. */
final class TestIndex implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  private final IndexDefinition definition;
  private final IndexTable table;
  private final Pools pools =
      new Pools(new Credentials("root", ""), MySqlOptions.DEFAULT.withMultiStatements());
  private Topology topology;

  TestIndex(IndexDefinition definition) {
    this.definition = definition;
    this.table = new IndexTable(definition.datastore(), definition);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    topology = SharedMasters.stack().topology("dc1");
    for (var cluster : topology.clusters()) {
      new InstanceSchema(topology, pools).create(cluster, made -> {});
    }
    new IndexSchema(topology, definition, pools).create(made -> {});
  }

  @Override
  public void beforeEach(ExtensionContext context) throws SQLException {
    empty();
    for (var cluster : topology.clusters()) {
      try (var connection = pools.open(cluster.master());
          var sql = connection.createStatement()) {
        for (int shard : cluster.shards().stream().toArray()) {
          sql.execute("TRUNCATE %s.entity".formatted(Names.database(topology.instance(), shard)));
        }
      }
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    pools.close();
  }

  Topology topology() {
    return topology;
  }

  Pools pools() {
    return pools;
  }

  IndexReader reader() {
    return new IndexReader(definition, topology, pools, false);
  }

  void empty() throws SQLException {
    for (int shard = 0; shard < topology.shards().count(); shard++) {
      executeOnTable("TRUNCATE", shard);
    }
  }

  /** Runs a statement that ends with the name of the table, such as {@code TRUNCATE}. */
  void executeOnTable(String statement, int shard) throws SQLException {
    try (var connection = pools.open(topology.clusterOf(shard).master());
        var sql = connection.createStatement()) {
      sql.execute(statement + " " + table.name(shard));
    }
  }

  void write(IndexEntry entry) throws SQLException {
    write(List.of(entry));
  }

  /** Those of one shard together. */
  void write(List<IndexEntry> entries) throws SQLException {
    var byShard = entries.stream().collect(groupingBy(e -> topology.shards().of(e.shardValue())));
    for (var shard : byShard.entrySet()) {
      try (var connection = pools.open(topology.clusterOf(shard.getKey()).master())) {
        new IndexTransaction().add(table, shard.getKey(), shard.getValue()).execute(connection);
      }
    }
  }
}
