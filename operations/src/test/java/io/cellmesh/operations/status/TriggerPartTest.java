package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.ReadPlace;
import io.cellmesh.operations.trigger.PartitionStatus;
import io.cellmesh.operations.trigger.TriggerStatus;
import io.cellmesh.operations.trigger.TriggerStatus.Halt;
import io.cellmesh.operations.trigger.TriggerStatus.Member;
import io.cellmesh.topics.trigger.Definition;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.Pause;
import io.cellmesh.topics.trigger.Reason;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.topics.trigger.TriggerName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The line that {@code cellmesh status} gives a trigger. */
class TriggerPartTest {
  private static final Instant AT = Instant.parse("2026-01-31T12:00:00Z");
  private static final Member MEMBER = new Member("m1", "client", "host", List.of(0, 1));
  private static final PartitionStatus DONE = partition(0, OptionalLong.of(9), 0, 0, 0);
  private static final PartitionStatus BEHIND = partition(1, OptionalLong.of(5), 1_204, 34, 2);

  @Test
  void one_that_runs_says_how_far_it_is_behind_and_what_is_parked() {
    assertThat(part(List.of(MEMBER), List.of(DONE, BEHIND), false, List.of()))
        .isEqualTo(
            new Part(
                "dc1",
                "trigger",
                "billing",
                true,
                "1 member, 1,204 cells (34 s) behind, 2 rows (6 cells) parked"));
    assertThat(part(List.of(MEMBER), List.of(DONE), false, List.of()).detail())
        .isEqualTo("1 member, 0 cells (0 s) behind");
  }

  @Test
  void one_that_nobody_runs_does_not_do_its_work_unless_it_is_paused() {
    var left = part(List.of(), List.of(DONE), false, List.of());
    assertThat(left.up()).isFalse();
    assertThat(left.detail()).isEqualTo("does not run, 0 cells (0 s) behind");

    var paused = part(List.of(), List.of(DONE), true, List.of());
    assertThat(paused.up()).isTrue();
    assertThat(paused.detail()).isEqualTo("is paused by ann, 0 cells (0 s) behind");
  }

  @Test
  void one_that_is_halted_or_has_lost_its_place_does_not_do_its_work() {
    var halt = new Halt("m1", AT, Optional.of(new Reason("A", "b")));
    var halted = part(List.of(MEMBER), List.of(DONE), false, List.of(halt));
    assertThat(halted.up()).isFalse();
    assertThat(halted.detail()).startsWith("m1 is halted: A: b, 1 member");

    var gone = partition(1, OptionalLong.empty(), 0, 0, 0);
    var lost = part(List.of(MEMBER), List.of(gone), true, List.of());
    assertThat(lost.up()).as("though it is paused").isFalse();
    assertThat(lost.detail())
        .contains("trips.log-1: its place is gone", "`cellmesh trigger rewind`");
  }

  private static PartitionStatus partition(
      int number, OptionalLong committed, long cells, long seconds, int rows) {
    return new PartitionStatus(
        true,
        new ReadPlace("trips.log", number, committed, 0, 9),
        cells,
        Duration.ofSeconds(seconds),
        rows,
        3L * rows,
        0);
  }

  private static Part part(
      List<Member> members, List<PartitionStatus> partitions, boolean paused, List<Halt> halted) {
    return TriggerPart.of(
        "dc1",
        new TriggerStatus(
            new TriggerName("billing"),
            new Definition("trips.log", List.of(), Order.SHARD, new Start.Now()),
            AT,
            members,
            partitions,
            paused ? Optional.of(new Pause("ann", AT)) : Optional.empty(),
            halted));
  }
}
