package io.cellmesh.operations.mesh;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.operations.mesh.RelayPlan.Gap;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Looks up whether the cells of gaps stand in the tables under other ids, in the records of one
 * partition: until the first of a shard that does not, so that it costs little where cells are
 * lost.
 */
final class GapLookup {
  private final String origin;
  private final FoldSource source;
  private final Shards shards;
  private final Map<Integer, Gap> gaps = new HashMap<>();
  private final OwnTables tables;
  private final EnvelopeReader envelopes;
  private final Set<Integer> lost = new TreeSet<>();
  private SQLException failure;

  /**
   * @param gaps of the partition, at most one a shard
   */
  GapLookup(
      String origin,
      FoldSource source,
      Shards shards,
      List<Gap> gaps,
      OwnTables tables,
      EnvelopeReader envelopes) {
    this.origin = origin;
    this.source = source;
    this.shards = shards;
    this.tables = tables;
    this.envelopes = envelopes;
    gaps.forEach(gap -> this.gaps.put(gap.shard(), gap));
  }

  /** Takes the next record. */
  void take(ConsumerRecord<byte[], byte[]> record) {
    if (failure != null || !Holdings.mayBeOf(record, origin)) {
      return;
    }
    try {
      var cell = Holdings.cell(source, record, envelopes);
      var from = cell.origin().orElseThrow();
      int shard = shards.of(record.key());
      var gap = gaps.get(shard);
      boolean asked =
          gap != null
              && !lost.contains(shard)
              && from.datacenter().equals(origin)
              && from.id() > gap.after()
              && from.id() <= gap.last();
      if (asked && !tables.has(cell.key())) {
        lost.add(shard);
      }
    } catch (InvalidCellException e) {
      // What is damaged is told where it was found, and is no cell.
    } catch (SQLException e) {
      failure = e;
    }
  }

  /** The shards that lack a cell, after all records were taken. */
  Set<Integer> lost() throws SQLException {
    if (failure != null) {
      throw failure;
    }
    return lost;
  }
}
