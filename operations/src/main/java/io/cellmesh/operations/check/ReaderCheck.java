package io.cellmesh.operations.check;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.CellLookup;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.storage.MySqlErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** Asks a server, as whoever reads cells, what a worker asks it. */
final class ReaderCheck {
  private static final int PARTITION = 0;
  private static final String COLUMN = "BASE";

  /** Shards in one statement. */
  private static final int BATCH = 50;

  private final Topology topology;

  ReaderCheck(Topology topology) {
    this.topology = topology;
  }

  /**
   * Reads positions, epochs and a row of each of the cluster's shards.
   *
   * @return what is denied first, in MySQL's words; empty if nothing is
   * @throws SQLException if the server fails otherwise
   */
  Optional<String> denied(Connection reader, StorageCluster cluster) throws SQLException {
    var lookup = new CellLookup(topology);
    var asks = asks(cluster);
    try {
      for (int from = 0; from < asks.size(); from += BATCH) {
        var batch = asks.subList(from, Math.min(from + BATCH, asks.size()));
        lookup.ask(reader, List.of(PARTITION), batch);
      }
      return Optional.empty();
    } catch (SQLException e) {
      if (MySqlErrors.isDenied(e)) {
        return Optional.of(MySqlErrors.explain(e));
      }
      throw e;
    }
  }

  /** A row of each shard, whether it is there or not. */
  private List<Ask.One> asks(StorageCluster cluster) {
    var rows = new TreeMap<Integer, Ask.One>();
    long wanted = cluster.shards().stream().count();
    for (long n = 0; rows.size() < wanted; n++) {
      var row = new UUID(0, n);
      int shard = topology.shards().of(row);
      if (cluster.shards().contains(shard)) {
        rows.putIfAbsent(shard, new Ask.One(new CellKey(row, COLUMN, 0)));
      }
    }
    return new ArrayList<>(rows.values());
  }
}
