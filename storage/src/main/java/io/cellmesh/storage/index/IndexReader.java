package io.cellmesh.storage.index;

import static java.util.stream.Collectors.groupingBy;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.ConnectionCallback;
import io.cellmesh.storage.Parallel;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.ServerChoice;
import io.cellmesh.storage.ServerFailure;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Asks an index: a query goes to the one shard of each of its values of the shard field, with one
 * statement a server. Thread-safe.
 */
public final class IndexReader {
  private final IndexDefinition definition;
  private final Topology topology;
  private final Pools pools;
  private final ServerChoice choice;
  private final ConnectionCallback<Boolean> complete;
  private final Set<Server> whole = ConcurrentHashMap.newKeySet();
  private final IndexTable table;
  private final CellReader cells;

  /**
   * @param fromMinion read the first minion of the shard's cluster, if there is one
   */
  public IndexReader(
      IndexDefinition definition, Topology topology, Pools pools, boolean fromMinion) {
    this(definition, topology, pools, ServerChoice.of(fromMinion), connection -> true);
  }

  /**
   * @param choice which server of a cluster is read
   * @param complete whether the minion that a connection leads to has all of the index that there
   *     was when it was complete; until then its master is read. Asked once, if it has
   */
  IndexReader(
      IndexDefinition definition,
      Topology topology,
      Pools pools,
      ServerChoice choice,
      ConnectionCallback<Boolean> complete) {
    this.definition = definition;
    this.topology = topology;
    this.pools = pools;
    this.choice = choice;
    this.complete = complete;
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
   * there all the while, and whose fields to order by stay as they are, exactly once. Of several
   * values of the shard field each is seen in a moment of its own.
   *
   * @throws IndexQueryException if the query does not fit the definition, or its cursor is one of
   *     another query
   * @throws ServerFailure if one of the servers does not answer: the page would pass over what it
   *     has. It says which of several values it is concerned with
   */
  public IndexPage page(IndexQuery query) throws SQLException {
    var statement = new IndexStatement(definition, query);
    var parts = new ConcurrentHashMap<Server, List<IndexHit>>();
    var byServer = statement.shardValues().stream().collect(groupingBy(this::server));
    each(byServer.keySet(), server -> read(server, byServer, statement, parts));
    var entries = statement.merged(parts.values().stream().flatMap(List::stream).toList());
    var next = Optional.<String>empty();
    if (query.limit().isPresent() && entries.size() > query.limit().getAsInt()) {
      entries = entries.subList(0, query.limit().getAsInt());
      next = Optional.of(statement.cursor(entries.get(entries.size() - 1)));
    }
    var hits = entries.stream().map(statement::selected).toList();
    return new IndexPage(
        query.columns().isPresent() ? with(query.columns().get(), hits) : hits,
        next,
        parts.keySet());
  }

  /**
   * Where a query for one value goes, as what, and how MySQL means to answer it.
   *
   * @throws IndexQueryException also if the query has several values
   */
  public Plan explain(IndexQuery query) throws SQLException {
    var statement = new IndexStatement(definition, query);
    if (statement.shardValues().size() > 1) {
      throw new IndexQueryException(
          definition.shardField().name() + ": a plan is that of one value");
    }
    var value = statement.shardValues().get(0);
    var sql = sql(statement, value);
    var asked = asked(server(value), value);
    return ask(
        asked,
        new BoundSql().add("EXPLAIN FORMAT=TREE ").add(sql),
        rows -> {
          var plan = rows.next() ? rows.getString(1).strip() : "";
          return new Plan(topology.shards().of(value), asked, sql.toString(), plan);
        });
  }

  /**
   * @param sql with placeholders for the values
   * @param mysql MySQL's own plan
   */
  public record Plan(int shard, Server server, String sql, String mysql) {}

  /** Side by side, if there are several. */
  private static void each(Set<Server> servers, Parallel.Action<Server> action)
      throws SQLException {
    try {
      if (servers.size() == 1) {
        action.accept(servers.iterator().next());
      } else {
        Parallel.forEach(servers, action);
      }
    } catch (SQLException | RuntimeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted", e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void read(
      Server server,
      Map<Server, List<String>> byServer,
      IndexStatement statement,
      Map<Server, List<IndexHit>> parts)
      throws SQLException {
    var values = byServer.get(server);
    try {
      var asked = asked(server, values.get(0));
      List<IndexHit> found =
          ask(
              asked,
              sql(statement, values),
              rows -> {
                var entries = new ArrayList<IndexHit>();
                while (rows.next()) {
                  entries.add(statement.read(rows));
                }
                return entries;
              });
      // A master may answer for itself and for a minion.
      parts.merge(asked, found, (a, b) -> Stream.concat(a.stream(), b.stream()).toList());
    } catch (ServerFailure e) {
      throw byServer.size() == 1 ? e : e.concerning(values);
    }
  }

  /** Who answers in the end: for a minion that may lack entries of the building its master. */
  private Server asked(Server chosen, String shardValue) throws ServerFailure {
    var master = cluster(shardValue).master();
    return chosen.equals(master) || isWhole(chosen) ? chosen : master;
  }

  private boolean isWhole(Server minion) throws ServerFailure {
    if (!whole.contains(minion) && pools.ask(minion, complete)) {
      whole.add(minion);
    }
    return whole.contains(minion);
  }

  private BoundSql sql(IndexStatement statement, List<String> values) {
    if (values.size() == 1) {
      return sql(statement, values.get(0));
    }
    var all = new BoundSql();
    var separator = "(";
    for (var value : values) {
      all.add(separator).add(sql(statement, value));
      separator = ") UNION ALL (";
    }
    return all.add(")");
  }

  private BoundSql sql(IndexStatement statement, String value) {
    return statement.sql(value, table.name(topology.shards().of(value)));
  }

  private <T> T ask(Server server, BoundSql sql, Reading<T> reading) throws SQLException {
    return pools.ask(
        server,
        connection -> {
          try (var select = connection.prepareStatement(sql.toString())) {
            sql.bind(select);
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

  private Server server(String shardValue) {
    return choice.of(cluster(shardValue));
  }

  private StorageCluster cluster(String shardValue) {
    return topology.clusterOf(topology.shards().of(shardValue));
  }
}
