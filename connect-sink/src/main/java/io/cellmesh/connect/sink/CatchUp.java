package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.Replay.Goal;
import io.cellmesh.connect.sink.Replay.Replayed;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.ServerHealth;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Brings lanes forward that are behind: from the buffers where the copies reach without a gap
 * ({@link Replay}), else by reading the topic again from the position (invariants 2 and 6).
 */
final class CatchUp {
  /** So long goes a turn; then it is heard how far it came, and what else there is. */
  private static final Duration TURN = Duration.ofSeconds(1);

  /** Between two looks for copies that a lane lacks which is stuck or waits for records. */
  private static final Duration PAUSE_OF_STUCK = Duration.ofSeconds(2);

  private final Topology topology;
  private final ServerHealth health;
  private final Buffers buffers;
  private final PendingWork work;
  private final Lanes lanes;
  private final LongSupplier clock;

  /** A turn that was heard late may tell what the next one tells again. */
  private final Set<LaneGap> gaps = new LinkedHashSet<>();

  private long lookAtStuck;

  /**
   * @param clock of {@link System#nanoTime}
   */
  CatchUp(
      Topology topology,
      ServerHealth health,
      Buffers buffers,
      PendingWork work,
      Lanes lanes,
      LongSupplier clock) {
    this.topology = topology;
    this.health = health;
    this.buffers = buffers;
    this.work = work;
    this.lanes = lanes;
    this.clock = clock;
    this.lookAtStuck = clock.getAsLong();
  }

  /** Applies to a primary what the buffers have for it, as {@link Replay#run} does. */
  @FunctionalInterface
  interface Buffers {
    Replayed replay(StorageCluster primary, List<Goal> goals, long deadline);
  }

  /** A lane that no copy within reach brings forward from its position in a topic. */
  record LaneGap(Lane lane, IngestTopic topic) {}

  /**
   * Gives each primary that is behind a turn, and hears of turns that have ended.
   *
   * @param patience how long to wait for them; those that take longer go on meanwhile
   * @return where the topic must be read again
   */
  List<LaneGap> run(Duration patience) {
    long now = clock.getAsLong();
    boolean stuckToo = now - lookAtStuck > 0;
    if (stuckToo) {
      lookAtStuck = now + PAUSE_OF_STUCK.toNanos();
    }
    long deadline = now + TURN.toNanos();
    for (var primary : topology.clusters()) {
      var goals = goals(primary, stuckToo);
      if (!goals.isEmpty() && !work.busy(primary) && writable(primary)) {
        work.start(
            primary,
            () -> buffers.replay(primary, List.copyOf(goals.values()), deadline),
            progress -> heard(goals, progress));
      }
    }
    work.await(patience);
    var found = gaps.stream().filter(gap -> lanes.has(gap.lane()) && reads(gap)).toList();
    gaps.clear();
    return found;
  }

  private void heard(Map<Lane, Goal> goals, Replayed progress) {
    for (var lane : goals.keySet()) {
      var position = progress.reached().get(lane.partition());
      if (position == null) {
        lane.forgetPosition();
      } else {
        lane.found(position);
      }
      progress.gaps().stream()
          .filter(gap -> gap.partition() == lane.partition())
          .forEach(gap -> gaps.add(new LaneGap(lane, gap.topic())));
    }
  }

  private static boolean reads(LaneGap gap) {
    var lane = gap.lane();
    return lane.positionKnown()
        && lane.target(gap.topic()).isPresent()
        && !waits(lane, gap.topic());
  }

  /** Whether only somebody else can bring a lane forward: new copies, records or a person. */
  private static boolean waits(Lane lane, IngestTopic topic) {
    return lane.stuck(topic)
        || lane.rewinding(topic)
        || (lane.rewound(topic) && !lane.behind(topic));
  }

  private Map<Lane, Goal> goals(StorageCluster primary, boolean stuckToo) {
    var goals = new LinkedHashMap<Lane, Goal>();
    for (var lane : lanes.leftBehind(primary)) {
      var targets = new EnumMap<IngestTopic, Long>(IngestTopic.class);
      for (var topic : IngestTopic.values()) {
        var target = lane.target(topic);
        if (target.isPresent() && (stuckToo || !waits(lane, topic))) {
          targets.put(topic, target.getAsLong());
        }
      }
      if (!targets.isEmpty()) {
        // A person may have moved the position of a lane that does not come forward.
        boolean look = targets.keySet().stream().anyMatch(topic -> waits(lane, topic));
        goals.put(lane, new Goal(lane.partition(), look ? null : lane.stored(), targets));
      }
    }
    return goals;
  }

  private boolean writable(StorageCluster primary) {
    return health.writable(primary.master());
  }
}
