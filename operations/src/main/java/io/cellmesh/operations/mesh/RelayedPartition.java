package io.cellmesh.operations.mesh;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.operations.mesh.RelayPlan.Gap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Hands on of a partition of a survivor's topic what others lack: of each shard what comes behind
 * the greatest id that they have, each cell once, and each with a greater id than the one before.
 */
final class RelayedPartition {
  private final FoldSource source;
  private final String origin;
  private final Shards shards;
  private final List<Gap> gaps;
  private final Map<String, RelayWriter> writers;
  private final EnvelopeReader envelopes;
  private final Map<Gap, Long> reached = new HashMap<>();

  /**
   * @param gaps all of that partition
   * @param writers by the names of those that lack something
   */
  RelayedPartition(
      FoldSource source,
      String origin,
      Shards shards,
      List<Gap> gaps,
      Map<String, RelayWriter> writers,
      EnvelopeReader envelopes) {
    this.source = source;
    this.origin = origin;
    this.shards = shards;
    this.gaps = gaps;
    this.writers = writers;
    this.envelopes = envelopes;
    gaps.forEach(gap -> reached.put(gap, gap.after()));
  }

  /** Takes the next record. */
  void take(ConsumerRecord<byte[], byte[]> record) {
    if (!Holdings.mayBeOf(record, origin)) {
      return;
    }
    try {
      var cell = Holdings.cell(source, record, envelopes);
      if (cell.origin().orElseThrow().datacenter().equals(origin)) {
        hand(shards.of(record.key()), cell);
      }
    } catch (InvalidCellException e) {
      // What is damaged is told where it was found, and is no cell.
    }
  }

  private void hand(int shard, Cell cell) {
    long id = cell.origin().orElseThrow().id();
    for (var gap : gaps) {
      if (gap.shard() == shard && id > reached.get(gap)) {
        writers.get(gap.to()).write(shards.partitionOf(shard), cell);
        reached.put(gap, id);
      }
    }
  }
}
