package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.Replay.Goal;
import io.cellmesh.connect.sink.Replay.PartitionGap;
import io.cellmesh.connect.sink.Replay.Replayed;
import io.cellmesh.connect.sink.base.DaemonThreads;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.Position;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Lanes that are behind, over a primary and buffers of which the test decides what they have. */
class CatchUpTest {
  private static final IngestTopic CELLS = IngestTopic.CELLS;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Topology topology = TwoClusters.TOPOLOGY;
  private final Nodes nodes = new Nodes(new Pools(new Credentials("nobody", "")));
  private final Lanes lanes = new Lanes(topology);
  private final Lane lane = lanes.of(topology.clusters().get(0), 3);
  private final AtomicLong now = new AtomicLong(1_000_000);
  private final Semaphore turns = new Semaphore(Integer.MAX_VALUE);
  private final PendingWork work =
      new PendingWork(
          nodes,
          new DaemonThreads(Executors.newSingleThreadExecutor()),
          new PrimaryPaces(topology, nodes, System::nanoTime));
  private final CatchUp catchUp =
      new CatchUp(
          topology, nodes, (primary, goals, deadline) -> replay(goals), work, lanes, now::get);

  private Position position = at(80);

  /** What the buffers have joins from here; nothing if it is beyond the position. */
  private long copiesFrom = 90;

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void a_stuck_lane_goes_on_by_itself_when_a_copy_turns_up() {
    getStuck();
    copiesFrom = 80;
    later();
    assertThat(catchUp.run(PATIENCE)).isEmpty();
    assertThat(lane.applied(CELLS)).isEqualTo(100);
    assertThat(lane.stuck(CELLS)).isFalse();
  }

  @Test
  void a_stuck_lane_goes_on_by_itself_when_somebody_moves_its_position() {
    getStuck();
    position = at(95);
    later();
    assertThat(catchUp.run(PATIENCE)).isEmpty();
    assertThat(lane.applied(CELLS)).isEqualTo(100);
    assertThat(lane.stuck(CELLS)).isFalse();
  }

  @Test
  void a_lane_that_waits_for_records_which_do_not_come_goes_on_when_a_copy_turns_up() {
    fallBehind();
    assertThat(catchUp.run(PATIENCE)).containsExactly(new CatchUp.LaneGap(lane, CELLS));
    lane.rewind(CELLS);
    later();
    assertThat(catchUp.run(PATIENCE)).isEmpty();
    assertThat(lane.rewinding(CELLS)).isTrue();
    copiesFrom = 80;
    later();
    assertThat(catchUp.run(PATIENCE)).isEmpty();
    assertThat(lane.rewinding(CELLS)).isFalse();
    assertThat(lane.applied(CELLS)).isEqualTo(100);
  }

  @Test
  void a_lane_that_got_some_of_the_records_it_asked_for_takes_the_rest_from_the_buffers() {
    fallBehind();
    assertThat(catchUp.run(PATIENCE)).containsExactly(new CatchUp.LaneGap(lane, CELLS));
    lane.rewind(CELLS);
    lane.startBatch(CELLS);
    position = at(85);
    lane.found(position);
    later();
    assertThat(catchUp.run(PATIENCE)).as("it has asked already").isEmpty();
    copiesFrom = 85;
    assertThat(catchUp.run(PATIENCE)).as("records may still come").isEmpty();
    assertThat(lane.applied(CELLS)).isEqualTo(85);
    later();
    assertThat(catchUp.run(PATIENCE)).isEmpty();
    assertThat(lane.applied(CELLS)).isEqualTo(100);
  }

  @Test
  void a_gap_that_a_late_turn_tells_and_the_next_one_again_is_one_gap() throws Exception {
    fallBehind();
    turns.drainPermits();
    assertThat(catchUp.run(Duration.ofMillis(1))).isEmpty();
    turns.release(2);
    await().atMost(PATIENCE).until(this::isHeard);
    assertThat(catchUp.run(PATIENCE)).containsExactly(new CatchUp.LaneGap(lane, CELLS));
  }

  private boolean isHeard() {
    work.hear();
    return !work.busy(topology.clusters().get(0));
  }

  private void fallBehind() {
    lane.found(position);
    lane.begin(CELLS, 100);
  }

  private void getStuck() {
    fallBehind();
    lane.stuck(CELLS, 100);
    catchUp.run(PATIENCE);
    assertThat(lane.stuck(CELLS)).isTrue();
  }

  private void later() {
    now.addAndGet(TimeUnit.SECONDS.toNanos(3));
  }

  private Replayed replay(List<Goal> goals) {
    turns.acquireUninterruptibly();
    var reached = new HashMap<Integer, Position>();
    var gaps = new HashSet<PartitionGap>();
    for (var goal : goals) {
      // What a task remembers may be wrong; a goal without a position is one that is looked up.
      var from = goal.position() == null ? position : goal.position();
      if (copiesFrom <= from.of(CELLS)) {
        position = at(goal.targets().get(CELLS));
        reached.put(goal.partition(), position);
      } else {
        reached.put(goal.partition(), from);
        gaps.add(new PartitionGap(goal.partition(), CELLS));
      }
    }
    return new Replayed(reached, gaps);
  }

  private static Position at(long cells) {
    return new Position(new Mark(cells, 7), Mark.START);
  }
}
