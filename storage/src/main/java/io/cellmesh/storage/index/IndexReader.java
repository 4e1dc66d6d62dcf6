package io.cellmesh.storage.index;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.ServerChoice;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks an index; every query goes to the one shard of its shard field's value. Thread-safe. */
public final class IndexReader {
  private final IndexDefinition definition;
  private final Topology topology;
  private final Pools pools;
  private final ServerChoice choice;
  private final IndexTable table;
  private final CellReader cells;

  /**
   * @param fromMinion read the first minion of the shard's cluster, if there is one
   */
  public IndexReader(
      IndexDefinition definition, Topology topology, Pools pools, boolean fromMinion) {
    this(definition, topology, pools, ServerChoice.of(fromMinion));
  }

  /**
   * @param choice which server of a cluster is read
   */
  public IndexReader(
      IndexDefinition definition, Topology topology, Pools pools, ServerChoice choice) {
    this.definition = definition;
    this.topology = topology;
    this.pools = pools;
    this.choice = choice;
    this.table = new IndexTable(topology.instance(), definition);
    this.cells = new CellReader(topology, pools, choice);
  }

  /** Of the version that is asked. */
  public IndexDefinition definition() {
    return definition;
  }

  /**
   * The entries that a query finds.
   *
   * @throws IndexQueryException if the query does not fit the definition
   */
  public List<IndexHit> query(IndexQuery query) throws SQLException {
    return page(query).hits();
  }

  /**
   * The entries that a query finds, and where the next ones begin. Paging shows every entry that is
   * there all the while, and whose fields to order by stay as they are, exactly once.
   *
   * @throws IndexQueryException if the query does not fit the definition, or its cursor is one of
   *     another query
   */
  public IndexPage page(IndexQuery query) throws SQLException {
    var statement = statement(query);
    var entries = read(statement);
    var next = Optional.<String>empty();
    if (query.limit().isPresent() && entries.size() > query.limit().getAsInt()) {
      entries = entries.subList(0, query.limit().getAsInt());
      next = Optional.of(statement.cursor(entries.get(entries.size() - 1)));
    }
    var hits = entries.stream().map(statement::selected).toList();
    return new IndexPage(
        query.columns().isPresent() ? with(query.columns().get(), hits) : hits, next);
  }

  /** Where a query goes, as what, and how MySQL means to answer it. */
  public Plan explain(IndexQuery query) throws SQLException {
    var statement = statement(query);
    int shard = shard(statement);
    return ask(
        shard,
        "EXPLAIN FORMAT=TREE " + statement.sql(),
        statement,
        rows -> {
          var plan = rows.next() ? rows.getString(1).strip() : "";
          return new Plan(shard, server(shard), statement.sql(), plan);
        });
  }

  /**
   * @param sql with placeholders for the values
   * @param mysql MySQL's own plan
   */
  public record Plan(int shard, Server server, String sql, String mysql) {}

  private List<IndexHit> read(IndexStatement statement) throws SQLException {
    return ask(
        shard(statement),
        statement.sql(),
        statement,
        rows -> {
          var entries = new ArrayList<IndexHit>();
          while (rows.next()) {
            entries.add(statement.read(rows));
          }
          return entries;
        });
  }

  private <T> T ask(int shard, String sql, IndexStatement statement, Reading<T> reading)
      throws SQLException {
    return pools.ask(
        server(shard),
        connection -> {
          try (var select = connection.prepareStatement(sql)) {
            statement.bind(select);
            try (var rows = select.executeQuery()) {
              return reading.of(rows);
            }
          }
        });
  }

  private interface Reading<T> {
    T of(ResultSet rows) throws SQLException;
  }

  private List<IndexHit> with(RowColumns wanted, List<IndexHit> hits) throws SQLException {
    var rowKeys = hits.stream().map(IndexHit::rowKey).toList();
    var rows = cells.rows(rowKeys, wanted.latest(), wanted.names());
    return hits.stream()
        .map(h -> new IndexHit(h.rowKey(), h.fields(), rows.getOrDefault(h.rowKey(), List.of())))
        .toList();
  }

  private IndexStatement statement(IndexQuery query) {
    return new IndexStatement(definition, query, v -> table.name(topology.shards().of(v)));
  }

  /**
   * The server that is asked for the entries of a query.
   *
   * @throws IndexQueryException if the query does not fit the definition
   */
  public Server serverOf(IndexQuery query) {
    return server(shard(statement(query)));
  }

  private int shard(IndexStatement statement) {
    return topology.shards().of(statement.shardValue());
  }

  private Server server(int shard) {
    return choice.of(topology.clusterOf(shard));
  }
}
