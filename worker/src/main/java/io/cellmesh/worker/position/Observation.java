package io.cellmesh.worker.position;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.CellKey;
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
 * @param outage if the master does not answer or takes no writes
 */
public record Observation(
    Optional<Sight> master,
    Optional<List<MinionPositions>> minions,
    Map<Integer, Long> committed,
    Optional<Outage> outage) {
  public Observation {
    committed = Map.copyOf(committed);
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
