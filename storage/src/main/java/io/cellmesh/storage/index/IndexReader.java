package io.cellmesh.storage.index;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexField;
import io.cellmesh.cell.index.MisfitException;
import io.cellmesh.storage.Pools;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Asks an index; every query goes to the one shard of its shard field's value. */
public final class IndexReader {
  private final IndexDefinition definition;
  private final Topology topology;
  private final Pools pools;
  private final boolean fromMinion;
  private final IndexTable table;

  /**
   * @param fromMinion read the first minion of the shard's cluster, if there is one
   */
  public IndexReader(
      IndexDefinition definition, Topology topology, Pools pools, boolean fromMinion) {
    this.definition = definition;
    this.topology = topology;
    this.pools = pools;
    this.fromMinion = fromMinion;
    this.table = new IndexTable(topology.instance(), definition);
  }

  /**
   * The entries that a query finds.
   *
   * @throws IndexQueryException if the query does not fit the definition
   */
  public List<IndexHit> query(IndexQuery query) throws SQLException {
    var statement = statement(query);
    try (var connection = pools.open(server(shard(statement)));
        var select = connection.prepareStatement(statement.sql())) {
      statement.bind(select);
      var hits = new ArrayList<IndexHit>();
      try (var rows = select.executeQuery()) {
        while (rows.next()) {
          hits.add(hit(rows, statement.selected()));
        }
      }
      return hits;
    }
  }

  /** Where a query goes, as what, and how MySQL means to answer it. */
  public Plan explain(IndexQuery query) throws SQLException {
    var statement = statement(query);
    int shard = shard(statement);
    try (var connection = pools.open(server(shard));
        var select = connection.prepareStatement("EXPLAIN FORMAT=TREE " + statement.sql())) {
      statement.bind(select);
      try (var rows = select.executeQuery()) {
        var plan = rows.next() ? rows.getString(1).strip() : "";
        return new Plan(shard, server(shard), statement.sql(), plan);
      }
    }
  }

  /**
   * @param sql with placeholders for the values
   * @param mysql MySQL's own plan
   */
  public record Plan(int shard, Server server, String sql, String mysql) {}

  private IndexStatement statement(IndexQuery query) {
    return new IndexStatement(definition, query, v -> table.name(topology.shards().of(v)));
  }

  private int shard(IndexStatement statement) {
    return topology.shards().of(statement.shardValue());
  }

  private Server server(int shard) {
    var cluster = topology.clusterOf(shard);
    return fromMinion && !cluster.minions().isEmpty() ? cluster.minions().get(0) : cluster.master();
  }

  private static IndexHit hit(ResultSet row, List<IndexField> selected) throws SQLException {
    var fields = new LinkedHashMap<String, String>();
    for (int i = 0; i < selected.size(); i++) {
      var field = selected.get(i);
      var text = FieldColumn.read(row, i + 2, field.type());
      try {
        fields.put(field.name(), text == null ? null : field.type().parse(field.name(), text));
      } catch (MisfitException e) {
        throw new SQLException(
            "the index table holds what its type does not allow: " + e.getMessage(), e);
      }
    }
    return new IndexHit(FieldColumn.uuid(row.getBytes(1)), fields);
  }
}
