package io.cellmesh.storage.index;

import io.cellmesh.cell.Topology;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.ServerChoice;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The indexes of a data centre by their names, each in the version that serves. Safe for any number
 * of threads.
 *
 * <p>Which version that is it learns at most a second late, and until then reads the one before,
 * which is as complete and as fresh. If that one is gone already, it asks again at once.
 *
 * <p>A minion that has not learned yet that the version is complete may lack entries of its
 * building, or the tables: its master is read instead. It is asked with every look, also if it
 * knew: at its address there may now be a server that was restored from before.
 */
public final class Indexes {
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final Topology topology;
  private final Pools pools;
  private final ServerChoice choice;
  private final IndexCatalog catalog;
  private final ConcurrentHashMap<String, Serving> known = new ConcurrentHashMap<>();

  private record Serving(IndexReader reader, long at) {}

  /**
   * @param fromMinion read the first minion of a shard's cluster, if there is one
   */
  public Indexes(Topology topology, Pools pools, boolean fromMinion) {
    this(topology, pools, ServerChoice.of(fromMinion));
  }

  /**
   * @param choice which server of a cluster is read
   */
  public Indexes(Topology topology, Pools pools, ServerChoice choice) {
    this.topology = topology;
    this.pools = pools;
    this.choice = choice;
    this.catalog = new IndexCatalog(topology, pools);
  }

  /** What is asked of the version that serves; it may be asked of two, one after the other. */
  @FunctionalInterface
  public interface Question<T> {
    T of(IndexReader reader) throws SQLException;
  }

  /**
   * Asks an index.
   *
   * @throws NoSuchIndexException if there is no index of that name
   * @throws IndexQueryException if the question does not fit it
   */
  public <T> T ask(String name, Question<T> question) throws SQLException {
    var serving = known.get(name);
    if (serving == null || System.nanoTime() - serving.at > FRESH.toNanos()) {
      serving = look(name);
    }
    try {
      return question.of(serving.reader);
    } catch (SQLException e) {
      if (!MySqlErrors.isNoSuchTable(e)) {
        throw e;
      }
      return question.of(look(name).reader);
    }
  }

  /**
   * The entries that a query finds in the version that serves.
   *
   * @param shardField the field that the query gives the value of; another version may have another
   * @throws IndexQueryException if the version has another shard field, or the query does not fit
   */
  public List<IndexHit> query(String name, String shardField, IndexQuery query)
      throws SQLException {
    return ask(
        name,
        reader -> {
          var definition = reader.definition();
          if (!definition.shardField().name().equals(shardField)) {
            throw new IndexQueryException(
                "%s: the shard field of version %d of %s is %s"
                    .formatted(
                        shardField, definition.version(), name, definition.shardField().name()));
          }
          return reader.query(query);
        });
  }

  private Serving look(String name) throws SQLException {
    var all = catalog.look(choice::isHealthy);
    var version =
        IndexCatalog.serving(all, name)
            .orElseThrow(
                () ->
                    new NoSuchIndexException(
                        "there is no index \"%s\" that serves; there is %s"
                            .formatted(
                                name,
                                all.stream()
                                    .filter(IndexVersion::isServing)
                                    .map(IndexVersion::name)
                                    .toList())));
    var reader =
        new IndexReader(
            version.definition(),
            topology,
            pools,
            choice,
            connection -> catalog.isComplete(connection, version));
    var serving = new Serving(reader, System.nanoTime());
    known.put(name, serving);
    return serving;
  }
}
