package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.Primaries.Started;
import io.cellmesh.connect.sink.Replay.Goal;
import io.cellmesh.connect.sink.Replay.Progress;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Position;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Brings lanes forward that are behind: from the buffers where the copies reach without a gap
 * ({@link Replay}), else by reading the topic again from the position (invariants 2 and 6).
 */
final class CatchUp {
  /** Longest stay with one primary at a time, since new cells of the others wait meanwhile. */
  private static final Duration TURN = Duration.ofSeconds(1);

  /** Between two looks for copies that a lane lacks which is stuck or waits for records. */
  private static final Duration PAUSE_OF_STUCK = Duration.ofSeconds(2);

  private final Topology topology;
  private final Nodes nodes;
  private final Buffers buffers;
  private final Primaries primaries;
  private final Lanes lanes;
  private final LongSupplier clock;
  private long lookAtStuck;

  /**
   * @param clock of {@link System#nanoTime}
   */
  CatchUp(
      Topology topology,
      Nodes nodes,
      Buffers buffers,
      Primaries primaries,
      Lanes lanes,
      LongSupplier clock) {
    this.topology = topology;
    this.nodes = nodes;
    this.buffers = buffers;
    this.primaries = primaries;
    this.lanes = lanes;
    this.clock = clock;
    this.lookAtStuck = clock.getAsLong();
  }

  /** Applies to a primary what the buffers have for it, as {@link Replay#run} does. */
  @FunctionalInterface
  interface Buffers {
    Progress replay(StorageCluster primary, List<Goal> goals, long deadline);
  }

  /** A lane that no copy within reach brings forward from its position in a topic. */
  record Gap(Lane lane, IngestTopic topic) {}

  /**
   * Gives each primary that is behind a turn.
   *
   * @return where the topic must be read again
   */
  List<Gap> run() {
    long now = clock.getAsLong();
    boolean stuckToo = now - lookAtStuck > 0;
    if (stuckToo) {
      lookAtStuck = now + PAUSE_OF_STUCK.toNanos();
    }
    long deadline = Primaries.deadline(TURN);
    var turns = new ArrayList<Turn>();
    for (var primary : topology.clusters()) {
      var goals = goals(primary, stuckToo);
      if (!goals.isEmpty() && !primaries.busy(primary) && writable(primary)) {
        turns.add(
            new Turn(
                goals, primaries.start(primary, () -> buffers.replay(primary, goals, deadline))));
      }
    }
    var gaps = new ArrayList<Gap>();
    // Somewhat longer than the turn, so that what is in the middle of a transaction ends it.
    long patience = deadline + TURN.toNanos();
    turns.forEach(turn -> finish(turn, patience, gaps));
    return gaps;
  }

  private void finish(Turn turn, long patience, List<Gap> gaps) {
    var primary = turn.started().primary();
    var progress = turn.started().await(patience);
    Map<Integer, Position> reached = progress == null ? Map.of() : progress.reached();
    for (var goal : turn.goals()) {
      var lane = lanes.of(primary, goal.partition());
      var position = reached.get(goal.partition());
      if (position == null) {
        lane.forgetPosition();
      } else {
        lane.found(position);
      }
    }
    if (progress != null) {
      for (var gap : progress.gaps()) {
        var lane = lanes.of(primary, gap.partition());
        if (reads(lane, gap.topic())) {
          gaps.add(new Gap(lane, gap.topic()));
        }
      }
    }
  }

  private static boolean reads(Lane lane, IngestTopic topic) {
    return lane.positionKnown() && lane.target(topic).isPresent() && !waits(lane, topic);
  }

  /** Whether only somebody else can bring a lane forward: new copies, records or a person. */
  private static boolean waits(Lane lane, IngestTopic topic) {
    return lane.stuck(topic) || lane.rewinding(topic);
  }

  private List<Goal> goals(StorageCluster primary, boolean stuckToo) {
    var goals = new ArrayList<Goal>();
    for (var lane : lanes.of(primary)) {
      var targets = new HashMap<IngestTopic, Long>();
      for (var topic : IngestTopic.values()) {
        var target = lane.target(topic);
        if (target.isPresent() && (stuckToo || !waits(lane, topic))) {
          targets.put(topic, target.getAsLong());
        }
      }
      if (!targets.isEmpty()) {
        // A person may have moved the position of a lane that does not come forward.
        boolean look = targets.keySet().stream().anyMatch(topic -> waits(lane, topic));
        goals.add(new Goal(lane.partition(), look ? null : lane.stored(), targets));
      }
    }
    return goals;
  }

  private boolean writable(StorageCluster primary) {
    return nodes.of(primary.master()).writable();
  }

  private record Turn(List<Goal> goals, Started<Progress> started) {}
}
