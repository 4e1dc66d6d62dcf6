package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.herb.BacklogPace.Seen;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A link that brings so much each second, and what it is told. */
class BacklogPaceTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int WINDOWS = 1_000;

  /** After so many seconds a backlog is held: the sink has passed the same twice in three. */
  private static final int HELD = 8;

  /** From here on {@link System#nanoTime} is negative. */
  private long now = Long.MAX_VALUE - 2 * SECOND;

  private long behind = 100_000;
  private long brought;
  private long waits;
  private long others;

  /** What the sink passes in a second, and what comes of others meanwhile. */
  private int passes = 600;

  private int own = 20;

  /** Of how many records of the peer's log one is to be brought. */
  private int records = 1;

  /** Of the cells that are to be brought, what is seen of them. */
  private double seen = 1;

  private boolean rebuilt;
  private boolean waitsForSink = true;
  private OptionalDouble told = OptionalDouble.empty();
  private BacklogPace pace = new BacklogPace(0.5, WINDOWS);

  /** The run began long ago, and had caught up. */
  BacklogPaceTest() {
    var work = new MeshWindow.Work(3, own);
    pace.look(new Seen(now - 600 * SECOND, 1, 1, 0, false, work));
  }

  @Test
  void a_backlog_is_brought_at_a_share_of_what_the_sink_was_seen_to_pass() {
    seconds(HELD - 1);
    assertThat(told).isEmpty();
    seconds(1);
    assertThat(told).hasValue(300);
    seconds(100);
    assertThat(told).hasValue(300);
  }

  @Test
  void what_the_sink_passes_is_measured_again_after_two_minutes() {
    seconds(HELD);
    passes = 1_000;
    seconds(119);
    assertThat(told).hasValue(300);
    seconds(1);
    assertThat(told).isEmpty();
    seconds(4);
    assertThat(told).hasValue(500);
  }

  @Test
  void while_a_backlog_becomes_smaller_it_is_measured_more_and_more_seldom() {
    behind = 10_000_000;
    seconds(HELD + 120);
    for (int minutes : new int[] {10, 20, 40, 60, 60}) {
      assertThat(told).isEmpty();
      seconds(4);
      assertThat(told).hasValue(300);
      seconds(60 * minutes - 1);
      assertThat(told).hasValue(300);
      seconds(1);
    }
    seconds(4 + 300);
    assertThat(told).hasValue(300);
    passes = 100;
    while (told.isPresent()) {
      seconds(1);
    }
    passes = 600;
    seconds(4 + 119);
    assertThat(told).isPresent();
    seconds(1);
    assertThat(told).as("two minutes once more").isEmpty();
  }

  @Test
  void a_peer_that_begins_to_write_more_than_the_share_is_held_no_longer_than_it_was_behind() {
    behind = 10_000_000;
    seconds(HELD + 120 + 4);
    long held = behind;
    seconds(300);
    while (told.isPresent()) {
      seconds(1);
      behind += 900;
    }
    assertThat(behind).isBetween(held, held + 2_000);
  }

  @Test
  void where_nobody_elses_cells_come_a_link_brings_all_it_can() {
    behind = 200_000;
    own = 0;
    seconds(60);
    assertThat(told).isEmpty();
    own = 1;
    seconds(HELD);
    assertThat(told).isPresent();
    own = 0;
    seconds(5);
    assertThat(told).isPresent();
    seconds(1);
    assertThat(told).isEmpty();
  }

  @Test
  void what_windows_hold_is_no_backlog() {
    behind = WINDOWS;
    seconds(60);
    assertThat(told).isEmpty();
    behind = 80_000;
    seconds(HELD);
    assertThat(told).hasValue(300);
    behind = WINDOWS;
    seconds(1);
    assertThat(told).isEmpty();
  }

  @Test
  void a_backlog_that_is_brought_within_two_minutes_is_not_held() {
    behind = 119 * 600;
    seconds(118);
    assertThat(told).isEmpty();
    assertThat(behind).isLessThan(2 * WINDOWS);

    behind = WINDOWS;
    seconds(1);
    behind = 122 * 600;
    seconds(HELD);
    assertThat(told).as("another one, of more than that").hasValue(300);
  }

  @Test
  void of_a_rebuilt_log_nothing_is_so_soon_over_that_it_is_not_held() {
    rebuilt = true;
    behind = 30 * passes;
    seconds(HELD);
    assertThat(told).hasValue(300);
  }

  @Test
  void what_an_outage_has_left_is_not_held_where_it_is_brought_within_five_minutes() {
    pace = new BacklogPace(0.5, WINDOWS);
    behind = 0;
    seconds(30);
    behind = 299 * 600;
    seconds(298);
    assertThat(told).isEmpty();
    assertThat(behind).isLessThan(2 * WINDOWS);

    seconds(2);
    behind = 122 * 600;
    seconds(HELD);
    assertThat(told).as("another one, which came while the link ran").hasValue(300);
  }

  @Test
  void what_an_outage_has_left_is_held_where_that_takes_longer() {
    pace = new BacklogPace(0.5, WINDOWS);
    behind = 310 * 600;
    seconds(HELD);
    assertThat(told).hasValue(300);
  }

  @Test
  void a_backlog_that_is_soon_over_when_others_come_is_not_held() {
    own = 0;
    seconds(120);
    own = 20;
    seconds(60);
    assertThat(told).isEmpty();
  }

  @Test
  void a_backlog_that_will_not_be_over_in_time_is_held() {
    behind = 30_000;
    secondsInWhichCome(75, 500);
    assertThat(told).isEmpty();
    secondsInWhichCome(20, 500);
    assertThat(told).hasValue(300);
    seconds(1);
    behind = 20_000;
    passes = 100;
    while (told.isPresent()) {
      seconds(1);
    }
    passes = 600;
    seconds(5);
    assertThat(told).as("that it is soon over now").hasValue(300);
  }

  @Test
  void a_link_that_the_way_to_its_peer_holds_is_held_no_further() {
    waitsForSink = false;
    seconds(60);
    assertThat(told).isEmpty();
  }

  @Test
  void a_share_of_one_holds_nothing() {
    pace = new BacklogPace(1, WINDOWS);
    seconds(60);
    assertThat(told).isEmpty();
  }

  @Test
  void a_sink_that_passes_less_than_the_pace_is_measured_anew() {
    seconds(HELD);
    passes = 100;
    seconds(10);
    assertThat(told).isEmpty();
    seconds(12);
    assertThat(told).hasValue(50);
  }

  @Test
  void a_moment_in_which_little_came_is_no_measure_for_minutes() {
    passes = 50;
    seconds(4);
    passes = 600;
    seconds(1);
    assertThat(told).isEmpty();
    seconds(2 + 6);
    assertThat(told.orElseThrow()).isGreaterThan(150);
  }

  @Test
  void a_sink_that_passes_more_and_more_is_not_measured_before_it_is_warm() {
    behind = 1_000_000;
    seconds(2);
    for (passes = 600; passes < 3_000; passes += passes / 2) {
      seconds(3);
      assertThat(told).isEmpty();
    }
    seconds(3 + 3);
    assertThat(told).hasValue(passes / 2.0);
  }

  @Test
  void a_sink_that_never_seems_warm_is_measured_after_two_minutes() {
    behind = 1_000_000_000_000L;
    passes = 400;
    for (int second = 0; second < 120; second++) {
      seconds(1);
      passes += passes / 9;
      assertThat(told).isEmpty();
    }
    seconds(8);
    assertThat(told).isPresent();
  }

  @Test
  void a_sink_that_passes_nothing_is_no_measure() {
    passes = 0;
    seconds(60);
    assertThat(told).isEmpty();
  }

  @Test
  void a_backlog_that_grew_while_it_came_is_held_again_once_it_grows_no_more() {
    secondsInWhichCome(130, 1_000);
    assertThat(told).isEmpty();
    seconds(30);
    assertThat(told).hasValue(300);
  }

  @Test
  void a_peer_that_writes_more_than_the_sink_can_pass_is_held_as_well() {
    assertThat(heldInSecondsInWhichCome(1_000, 1_000))
        .as("but for what it takes to see that")
        .isBetween(900, 950);
  }

  @Test
  void a_peer_that_may_write_less_than_the_sink_passes_is_not_taken_to_write_more() {
    secondsInWhichCome(145, 890);
    assertThat(told).isEmpty();
  }

  @Test
  void a_peer_that_writes_more_than_the_share_is_never_further_behind_each_time_it_is_held() {
    long most = 0;
    for (int second = 0; second < 3_600; second++) {
      seconds(1);
      behind += 500;
      most = Math.max(most, behind);
    }
    assertThat(most)
        .as("held for two minutes, in which 200 more a second come")
        .isLessThan(130_000);
  }

  @Test
  void what_the_peer_writes_meanwhile_is_no_backlog() {
    behind = 10_000_000;
    seconds(HELD);
    secondsInWhichCome(20, 400);
    assertThat(told).as("that and half of the rest").hasValue(500);
    long before = behind;
    secondsInWhichCome(40, 400);
    assertThat(behind).isLessThan(before);
    seconds(20);
    assertThat(told).as("it writes nothing any more").hasValue(300);
    secondsInWhichCome(11, 700);
    assertThat(told.orElseThrow()).as("a little more than the sink passed").isGreaterThan(600);
    secondsInWhichCome(20, 3_000);
    assertThat(told).as("more than anybody can bring is a backlog").hasValue(300);
  }

  @Test
  void what_others_wrote_into_the_peers_log_is_neither_a_backlog_nor_written_meanwhile() {
    records = 3;
    behind = 110L * passes;
    seconds(30);
    assertThat(told).as("brought within two minutes").isEmpty();
    behind = 10_000_000;
    seconds(HELD);
    secondsInWhichCome(20, 400);
    assertThat(told).as("that and half of the rest").hasValue(500);
  }

  @Test
  void an_estimate_of_the_peers_own_part_that_rises_is_no_backlog_that_grows() {
    behind = 1_000_000;
    seen = 0.93;
    seconds(HELD);
    assertThat(told).hasValue(300);
    seen = 1;
    for (int second = 0; second < 119; second++) {
      seconds(1);
      assertThat(told).as("held for two minutes, at %d", second).isPresent();
    }
  }

  @Test
  void a_peer_that_writes_a_little_more_than_was_measured_has_it_measured_again_soon() {
    seconds(HELD);
    assertThat(told).hasValue(300);
    secondsInWhichCome(29, 650);
    assertThat(told).isPresent();
    secondsInWhichCome(10, 650);
    assertThat(told).isEmpty();
  }

  @Test
  void a_link_that_fell_behind_further_while_it_was_held_brings_all_it_can() {
    seconds(HELD);
    assertThat(told).hasValue(300);
    secondsInWhichCome(121, 650);
    for (int second = 0; second < 600; second++) {
      secondsInWhichCome(1, 650);
      assertThat(told).isEmpty();
    }
  }

  @Test
  void a_sink_that_is_slow_for_a_while_does_not_have_a_peer_it_could_carry_held_behind() {
    behind = 0;
    secondsInWhichCome(600, 300);
    passes = 180;
    secondsInWhichCome(300, 300);
    long most = behind;
    passes = 400;
    secondsInWhichCome(60, 300);
    assertThat(behind).as("held to less than comes, it would grow").isLessThan(most - 50 * 60);
  }

  @Test
  void nor_does_one_of_which_little_is_known_yet() {
    pace = new BacklogPace(0.5, WINDOWS);
    behind = 0;
    passes = 180;
    secondsInWhichCome(295, 300);
    long most = behind;
    passes = 400;
    secondsInWhichCome(60, 300);
    assertThat(behind).isLessThan(most - 50 * 60);
  }

  @Test
  void what_the_sink_passed_more_than_an_hour_ago_says_no_more_what_it_can() {
    passes = 3_000;
    behind = 60 * passes;
    secondsInWhichCome(60, 300);
    passes = 300;
    behind = 0;
    secondsInWhichCome(3_600, 200);
    assertThat(heldInSecondsInWhichCome(600, 600)).isGreaterThan(450);
  }

  @Test
  void a_log_that_is_rebuilt_faster_than_the_sink_passes_is_held_from_the_beginning() {
    pace = new BacklogPace(0.5, WINDOWS);
    rebuilt = true;
    behind = 0;
    assertThat(heldInSecondsInWhichCome(300, 3_000)).isGreaterThan(250);
    assertThat(told).hasValue(300);
  }

  @Test
  void while_a_log_is_rebuilt_for_long_it_is_measured_more_and_more_seldom() {
    rebuilt = true;
    behind = 0;
    assertThat(heldInSecondsInWhichCome(3_600, 3_000))
        .as("but for what it takes to see that it grows, at most four times")
        .isGreaterThan(3_600 - 4 * 15);
    passes = 1_000;
    seconds(40);
    assertThat(told).as("measured again once it grows no more").hasValue(500);
  }

  @Test
  void others_that_come_now_and_then_keep_no_link_from_catching_up() {
    long most = 0;
    for (int second = 0; second < 3_600; second++) {
      own = second % 14 < 7 ? 1 : 0;
      seconds(1);
      behind += 590;
      most = Math.max(most, behind);
    }
    assertThat(most).isLessThan(150_000);
  }

  /** Says in how many of these the link was held. */
  private int heldInSecondsInWhichCome(int count, int written) {
    int held = 0;
    for (int i = 0; i < count; i++) {
      secondsInWhichCome(1, written);
      held += told.isPresent() ? 1 : 0;
    }
    return held;
  }

  /** In each of which the peer writes so many. */
  private void secondsInWhichCome(int count, int written) {
    for (int i = 0; i < count; i++) {
      seconds(1);
      behind += written;
    }
  }

  private void seconds(int count) {
    for (int i = 0; i < count; i++) {
      now += SECOND;
      double held = told.orElse(Double.MAX_VALUE);
      long brings = (long) Math.min(held, Math.min(passes, behind));
      brought += brings;
      behind -= brings;
      others += own;
      waits += waitsForSink ? 3 : 0;
      var work = new MeshWindow.Work(waits, others);
      told = pace.look(new Seen(now, records * behind, seen / records, brought, rebuilt, work));
    }
  }
}
