package io.cellmesh.triggers;

import io.cellmesh.triggers.OwnedPartition.Stage;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where a trigger's process is.
 *
 * @param phase what it does
 * @param why it is halted or does not run; empty otherwise
 * @param partitions that it has
 * @param halted the partitions that wait for a person, with the reason of each
 * @param parkedRows rows that are parked in its partitions
 * @param behind records of its partitions that it has not read yet
 * @param called cells that it called back with since it began, each attempt once
 * @param failed attempts that failed
 * @param parked cells that it parked
 * @param replayed parked cells that went through the callback
 */
public record TriggerState(
    Phase phase,
    String why,
    int partitions,
    Map<Integer, String> halted,
    int parkedRows,
    long behind,
    long called,
    long failed,
    long parked,
    long replayed) {

  /** What a trigger's process does. */
  public enum Phase {
    /** Takes its first partitions over. */
    STARTING,
    /** Calls back. */
    RUNNING,
    /** Waits until somebody resumes the trigger. */
    PAUSED,
    /** Tries one cell at a time, since most fail; or a partition waits for a person. */
    HALTED,
    /** Kafka does not answer, or refuses something; it tries again. */
    WAITING,
    /** Was closed. */
    CLOSED
  }

  static final TriggerState STARTING = bare(Phase.STARTING, "");

  static TriggerState bare(Phase phase, String why) {
    return new TriggerState(phase, why, 0, Map.of(), 0, 0, 0, 0, 0, 0);
  }

  static TriggerState of(
      Collection<OwnedPartition> owned,
      Members members,
      boolean paused,
      long behind,
      TriggerFigures figures) {
    var halted = new TreeMap<Integer, String>();
    int parkedRows = 0;
    boolean starting = false;
    for (var partition : owned) {
      parkedRows += partition.markers.size();
      starting |= partition.stage == Stage.OFFSET || partition.stage == Stage.STATE;
      if (partition.stage == Stage.HALTED) {
        halted.put(partition.at.partition(), partition.why);
      }
    }
    var why = members.halted().or(() -> halted.values().stream().findFirst());
    var phase =
        why.isPresent()
            ? Phase.HALTED
            : paused ? Phase.PAUSED : starting ? Phase.STARTING : Phase.RUNNING;
    return new TriggerState(
        phase,
        why.orElse(""),
        owned.size(),
        Map.copyOf(halted),
        parkedRows,
        behind,
        figures.called(),
        figures.failed(),
        figures.parked(),
        figures.replayed());
  }
}
