package io.cellmesh.storage.index;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.Pools;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which versions of which indexes a data centre has, and which of them queries read: the table
 * {@code index_version} of the instance's meta database on every storage cluster.
 *
 * <p>A change is written to one cluster after the other. One that was interrupted leaves some of
 * them behind, which harms nobody: a reader that learns late that another version serves still
 * reads a complete one, and whoever changes the catalogue takes of every version the newest that
 * any cluster has, and writes it to all.
 */
public final class IndexCatalog {
  private final Topology topology;
  private final Pools pools;
  private final String table;

  public IndexCatalog(Topology topology, Pools pools) {
    this.topology = topology;
    this.pools = pools;
    this.table = Names.metaDatabase(topology.instance()) + ".index_version";
  }

  /**
   * Every version, by name and version, as the first server knows it that answers.
   *
   * @throws SQLException if none does
   */
  public List<IndexVersion> look() throws SQLException {
    return look(server -> true);
  }

  /**
   * The same.
   *
   * @param first the servers that are asked before the others
   * @throws SQLException if none answers
   */
  public List<IndexVersion> look(Predicate<Server> first) throws SQLException {
    SQLException failure = null;
    for (var server : inTurn(topology, first)) {
      try {
        return sorted(read(server).values());
      } catch (SQLException e) {
        failure = e;
      }
    }
    throw failure;
  }

  /**
   * Masters come before minions: one that is behind still tells of what was dropped since, whose
   * tables the other clusters no longer have.
   */
  static List<Server> inTurn(Topology topology, Predicate<Server> first) {
    var masters = topology.clusters().stream().map(StorageCluster::master);
    var minions = topology.clusters().stream().flatMap(c -> c.minions().stream());
    var servers = Stream.concat(masters, minions).toList();
    return Stream.concat(servers.stream().filter(first), servers.stream().filter(first.negate()))
        .toList();
  }

  /**
   * Every version, by name and version, as the master knows it that knows most.
   *
   * @throws SQLException if a master does not answer: it may have the newest
   */
  public List<IndexVersion> read() throws SQLException {
    var newest = new HashMap<String, IndexVersion>();
    for (var cluster : topology.clusters()) {
      for (var found : read(cluster.master()).entrySet()) {
        newest.merge(
            found.getKey(), found.getValue(), (a, b) -> a.generation() < b.generation() ? b : a);
      }
    }
    return sorted(newest.values());
  }

  /**
   * Whether a server knows that a version is complete. A minion learns it behind the entries that
   * its cluster had by then, so it has these, too.
   */
  boolean isComplete(Connection connection, IndexVersion version) throws SQLException {
    try (var query =
        connection.prepareStatement(
            "SELECT state FROM " + table + " WHERE name = ? AND version = ? AND pass = ?")) {
      query.setString(1, version.name());
      query.setInt(2, version.version());
      query.setString(3, version.pass());
      try (var rows = query.executeQuery()) {
        return rows.next() && version.in(IndexVersion.State.of(rows.getString(1))).isComplete();
      }
    } catch (SQLException e) {
      if (MySqlErrors.isNoSuchTable(e)) {
        return false;
      }
      throw e;
    }
  }

  /** The version of an index that queries read, if the index has one. */
  public static Optional<IndexVersion> serving(List<IndexVersion> all, String name) {
    return all.stream().filter(v -> v.name().equals(name) && v.isServing()).findFirst();
  }

  /**
   * Writes versions to every cluster, those of one cluster together. Of two who change the same
   * version at once only one does so: of what the other has read the newest is no longer true.
   *
   * @param versions as they were read, with what is to change; one that is new has no generation
   * @return them as they stand now, for whoever changes them again
   * @throws SQLException if a master does not answer, or a version was changed since it was read;
   *     the change can be repeated
   */
  public List<IndexVersion> put(Collection<IndexVersion> versions) throws SQLException {
    var before = read();
    requireNewest(versions, before);
    long generation = 1 + before.stream().mapToLong(IndexVersion::generation).max().orElse(0);
    change(
        connection -> {
          level(connection, before);
          write(connection, versions, generation);
        });
    return versions.stream().map(version -> version.withGeneration(generation)).toList();
  }

  /** A command may have read them long ago: before a person answered it, or before a build. */
  static void requireNewest(Collection<IndexVersion> versions, List<IndexVersion> newest)
      throws SQLException {
    for (var version : versions) {
      long known =
          newest.stream()
              .filter(other -> other.label().equals(version.label()))
              .mapToLong(IndexVersion::generation)
              .findFirst()
              .orElse(0);
      if (known != version.generation()) {
        throw changedMeanwhile(version);
      }
    }
  }

  /**
   * Brings a cluster the states that an interrupted change has not brought there. What was being
   * dropped stays as it is: whoever drops it again goes to every cluster.
   */
  void level(Connection connection, List<IndexVersion> newest) throws SQLException {
    try (var update =
        connection.prepareStatement(
            "UPDATE "
                + table
                + " SET state = ?, generation = ? WHERE name = ? AND version = ? AND generation < ?")) {
      for (var version : newest) {
        if (version.state() != IndexVersion.State.DROPPING) {
          update.setString(1, version.state().text());
          update.setLong(2, version.generation());
          update.setString(3, version.name());
          update.setInt(4, version.version());
          update.setLong(5, version.generation());
          update.executeUpdate();
        }
      }
    }
  }

  /** Assignments run from left to right, so the generation comes last. */
  void write(Connection connection, Collection<IndexVersion> versions, long generation)
      throws SQLException {
    try (var insert =
        connection.prepareStatement(
            "INSERT INTO "
                + table
                + " (name, version, definition, state, pass, generation)"
                + " VALUES (?, ?, ?, ?, ?, ?) AS new ON DUPLICATE KEY UPDATE"
                + Stream.of("definition", "state", "pass", "generation")
                    .map(IndexCatalog::ifNewer)
                    .collect(Collectors.joining(",")))) {
      for (var version : versions) {
        insert.setString(1, version.name());
        insert.setInt(2, version.version());
        insert.setString(3, version.definition().toYaml());
        insert.setString(4, version.state().text());
        insert.setString(5, version.pass());
        insert.setLong(6, generation);
        if (insert.executeUpdate() == 0) {
          throw changedMeanwhile(version);
        }
      }
    }
  }

  private static SQLException changedMeanwhile(IndexVersion version) {
    return new SQLException(
        "another command has changed %s meanwhile; look at `cellmesh index status`, and run this again if it is still wanted"
            .formatted(version.label()));
  }

  private static String ifNewer(String column) {
    return " %1$s = IF(new.generation > index_version.generation, new.%1$s, index_version.%1$s)"
        .formatted(column);
  }

  /** Forgets a version on every cluster, whatever has become of it; can be repeated. */
  public void remove(IndexVersion version) throws SQLException {
    change(
        connection -> {
          try (var delete =
              connection.prepareStatement(
                  "DELETE FROM " + table + " WHERE name = ? AND version = ?")) {
            delete.setString(1, version.name());
            delete.setInt(2, version.version());
            delete.executeUpdate();
          }
        });
  }

  private Map<String, IndexVersion> read(Server server) throws SQLException {
    try {
      return pools.ask(server, this::read);
    } catch (SQLException e) {
      if (MySqlErrors.isNoSuchTable(e)) {
        return Map.of();
      }
      throw e;
    }
  }

  private Map<String, IndexVersion> read(Connection connection) throws SQLException {
    var versions = new TreeMap<String, IndexVersion>();
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery("SELECT definition, state, pass, generation FROM " + table)) {
      while (rows.next()) {
        var version =
            new IndexVersion(
                IndexDefinition.parse(rows.getString(1)),
                IndexVersion.State.of(rows.getString(2)),
                rows.getString(3),
                rows.getLong(4));
        versions.put(version.label(), version);
      }
    }
    return versions;
  }

  private void change(Change change) throws SQLException {
    for (var cluster : topology.clusters()) {
      try (var connection = pools.open(cluster.master())) {
        create(connection);
        connection.setAutoCommit(false);
        try {
          change.on(connection);
          connection.commit();
        } finally {
          connection.rollback();
          connection.setAutoCommit(true);
        }
      } catch (SQLException e) {
        throw unreachable(cluster, e);
      }
    }
  }

  /** Instances that are older than their first index have no catalogue. */
  private void create(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE IF NOT EXISTS %s (
            name VARCHAR(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
            version INT UNSIGNED NOT NULL,
            definition TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
            state VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
            pass VARCHAR(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
            generation BIGINT UNSIGNED NOT NULL,
            PRIMARY KEY (name, version)
          ) ENGINE=InnoDB"""
              .formatted(table));
    }
  }

  private static SQLException unreachable(StorageCluster cluster, SQLException e) {
    return new SQLException(
        "the index catalogue on %s (%s): %s"
            .formatted(cluster.name(), cluster.master().address(), MySqlErrors.explain(e)),
        e.getSQLState(),
        e.getErrorCode(),
        e);
  }

  private static List<IndexVersion> sorted(Collection<IndexVersion> versions) {
    var sorted = new ArrayList<>(versions);
    sorted.sort(
        (a, b) ->
            a.name().equals(b.name())
                ? Integer.compare(a.version(), b.version())
                : a.name().compareTo(b.name()));
    return sorted;
  }

  @FunctionalInterface
  private interface Change {
    void on(Connection connection) throws SQLException;
  }
}
