package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MeetingTest {
  private static final Meeting CUT_AND_DISK = new Meeting(FaultKind.CUT, FaultKind.DISK);

  @Test
  void faults_meet_that_are_under_way_at_the_same_time() {
    var met =
        Meeting.among(
            List.of(
                struck(FaultKind.DISK, 10, 5),
                struck(FaultKind.CUT, 12, 0),
                struck(FaultKind.WORKER_KILL, 16, 3),
                struck(FaultKind.CUT, 30, 0),
                struck(FaultKind.DISK, 28, 4)));

    assertThat(met).containsOnlyKeys(CUT_AND_DISK).containsEntry(CUT_AND_DISK, 2L);
  }

  @Test
  void a_recovery_beyond_the_bound_is_told() {
    assertThat(struck(FaultKind.CUT, 0, 0, 20).isBeyondBound()).isFalse();
    assertThat(struck(FaultKind.CUT, 0, 0, 21).isBeyondBound()).isTrue();
  }

  private static Struck struck(FaultKind kind, int at, int lasted) {
    return struck(kind, at, lasted, 0);
  }

  private static Struck struck(FaultKind kind, int at, int lasted, int recovered) {
    return new Struck(
        1,
        kind,
        "a victim",
        Duration.ofSeconds(at),
        Duration.ofSeconds(lasted),
        Duration.ofSeconds(recovered),
        kind.bound(),
        Optional.empty(),
        SessionCounts.NONE,
        Optional.empty());
  }
}
