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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings lanes forward that are behind: from the buffers where the copies reach without a gap
 * ({@link Replay}), else by reading the topic again from the position (invariants 2 and 6).
 */
final class CatchUp {
  private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);

  /** Longest stay with one primary at a time, since new cells of the others wait meanwhile. */
  private static final Duration TURN = Duration.ofSeconds(1);

  /** Between two looks for copies that a stuck lane lacks. */
  private static final Duration PAUSE_OF_STUCK = Duration.ofSeconds(2);

  private final Topology topology;
  private final Nodes nodes;
  private final Replay replay;
  private final Primaries primaries;
  private final Lanes lanes;
  private long lookAtStuck = System.nanoTime();

  CatchUp(Topology topology, Nodes nodes, Replay replay, Primaries primaries, Lanes lanes) {
    this.topology = topology;
    this.nodes = nodes;
    this.replay = replay;
    this.primaries = primaries;
    this.lanes = lanes;
  }

  /** A lane's topic that must be read again from the lane's position. */
  record Rewind(Lane lane, IngestTopic topic) {}

  /** Gives each primary that is behind a turn. */
  List<Rewind> run() {
    boolean stuckToo = System.nanoTime() - lookAtStuck > 0;
    if (stuckToo) {
      lookAtStuck = Primaries.deadline(PAUSE_OF_STUCK);
    }
    long deadline = Primaries.deadline(TURN);
    var turns = new ArrayList<Turn>();
    for (var primary : topology.clusters()) {
      var goals = goals(primary, stuckToo);
      if (!goals.isEmpty() && !primaries.busy(primary) && healthy(primary)) {
        turns.add(
            new Turn(goals, primaries.start(primary, () -> replay.run(primary, goals, deadline))));
      }
    }
    var rewinds = new ArrayList<Rewind>();
    // Somewhat longer than the turn, so that what is in the middle of a transaction ends it.
    long patience = deadline + TURN.toNanos();
    turns.forEach(turn -> finish(turn, patience, rewinds));
    return rewinds;
  }

  private void finish(Turn turn, long patience, List<Rewind> rewinds) {
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
      progress.gaps().forEach(gap -> gap(lanes.of(primary, gap.partition()), gap.topic(), rewinds));
    }
  }

  private void gap(Lane lane, IngestTopic topic, List<Rewind> rewinds) {
    if (lane.positionKnown() && lane.target(topic).isPresent() && !lane.stuck(topic)) {
      LOG.info(
          "the buffers don't reach back to the position of {}; reading partition {} of {} again from {}",
          lane.primary().name(),
          lane.partition(),
          topic.of(topology.topics()),
          lane.stored().of(topic));
      lane.rewind(topic);
      rewinds.add(new Rewind(lane, topic));
    }
  }

  private List<Goal> goals(StorageCluster primary, boolean stuckToo) {
    var goals = new ArrayList<Goal>();
    for (var lane : lanes.of(primary)) {
      var targets = new HashMap<IngestTopic, Long>();
      for (var topic : IngestTopic.values()) {
        var target = lane.target(topic);
        if (target.isPresent() && (stuckToo || !lane.stuck(topic))) {
          targets.put(topic, target.getAsLong());
        }
      }
      if (!targets.isEmpty()) {
        boolean stuck = lane.stuck(IngestTopic.CELLS) || lane.stuck(IngestTopic.MESH);
        // A person may have moved the position of a stuck lane.
        goals.add(new Goal(lane.partition(), stuck ? null : lane.stored(), targets));
      }
    }
    return goals;
  }

  private boolean healthy(StorageCluster primary) {
    return nodes.of(primary.master()).healthy();
  }

  private record Turn(List<Goal> goals, Started<Progress> started) {}
}
