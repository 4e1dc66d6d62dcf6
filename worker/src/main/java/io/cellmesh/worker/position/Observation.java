package io.cellmesh.worker.position;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.CellKey;
import io.cellmesh.storage.BufferTable.Covered;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What was seen of a cluster in answer to one {@link Question}.
 *
 * @param master empty if it did not answer
 * @param minions what each listed minion said; empty if they were not asked
 * @param committed the sink's next offsets of the ingest topic, by partition; empty if not asked
 * @param buffers what each server of other clusters holds of copies, of those that were asked and
 *     answered; they are asked only while the master is away
 * @param outage if the master does not answer or takes no writes
 */
public record Observation(
    Optional<Sight> master,
    Optional<List<MinionPositions>> minions,
    Map<Integer, Long> committed,
    List<Buffer> buffers,
    Optional<Outage> outage) {
  public Observation {
    committed = Map.copyOf(committed);
    buffers = List.copyOf(buffers);
  }

  /**
   * One snapshot of the master.
   *
   * @param next by partition, the next offset whose cells are not yet in its entity tables
   * @param asked whose rows were looked for
   * @param rows those that were there
   */
  public record Sight(Map<Integer, Long> next, Set<CellKey> asked, Map<CellKey, Body> rows) {
    public Sight {
      next = Map.copyOf(next);
      asked = Set.copyOf(asked);
      rows = Map.copyOf(rows);
    }
  }

  /**
   * What a server holds of the copies of the cluster's cells.
   *
   * @param covered by partition, the offsets of which it has all cells
   */
  public record Buffer(Map<Integer, List<Covered>> covered) {
    public Buffer {
      covered = Map.copyOf(covered);
    }

    private boolean has(PendingWrite write) {
      return covered.getOrDefault(write.partition(), List.of()).stream()
          .anyMatch(copy -> copy.has(write.offset()));
    }
  }

  /**
   * How far a minion has the ingest topic.
   *
   * @param next by partition; empty if it did not answer
   */
  public record MinionPositions(Map<Integer, Long> next) {
    public MinionPositions {
      next = Map.copyOf(next);
    }
  }

  static boolean passed(Map<Integer, Long> next, PendingWrite write) {
    return next.getOrDefault(write.partition(), 0L) > write.offset();
  }

  /** Whether two servers have a record's cell, by the sink's word or because they were seen to. */
  boolean secured(PendingWrite write) {
    return passed(committed, write)
        || buffers.stream().filter(buffer -> buffer.has(write)).limit(2).count() == 2;
  }

  /** Whether the minions were asked, there is one, and all have passed a record. */
  boolean onAllMinions(PendingWrite write) {
    return minions
        .filter(all -> !all.isEmpty())
        .map(all -> all.stream().allMatch(minion -> passed(minion.next(), write)))
        .orElse(false);
  }

  /** Whether no minion is listed: nobody but the master can have it. */
  boolean withoutMinions() {
    return minions.map(List::isEmpty).orElse(false);
  }
}
