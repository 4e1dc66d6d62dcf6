package io.cellmesh.worker.load;

import static io.cellmesh.worker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LaneTest {
  private final AtomicLong now = new AtomicLong();
  private final Deadline later = Deadline.in(Duration.ofSeconds(1), now::get);
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch held = new CountDownLatch(1);

  /** Room for ten. */
  private final Lane lane = new Lane("s1", 1, 9);

  @AfterEach
  void stop() {
    held.countDown();
    lane.close();
  }

  @Test
  void the_lower_the_priority_the_sooner_a_call_is_turned_away() {
    fill(Priority.LOW, 5);
    assertThatThrownBy(() -> hold(Priority.LOW)).isInstanceOf(OverloadedException.class);
    fill(Priority.NORMAL, 4);
    assertThatThrownBy(() -> hold(Priority.NORMAL)).isInstanceOf(OverloadedException.class);
    fill(Priority.HIGH, 1);
    assertThatThrownBy(() -> hold(Priority.HIGH)).isInstanceOf(OverloadedException.class);

    assertThat(lane.gate().inside()).isEqualTo(10);
    assertThat(lane.gate().turnedAway()).isEqualTo(3);
  }

  @Test
  void what_is_done_makes_room_however_it_ended() throws Exception {
    var all = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < 10; i++) {
      all.add(hold(Priority.HIGH));
    }
    held.countDown();
    for (var one : all) {
      one.get(10, TimeUnit.SECONDS);
    }
    var failed =
        lane.<Void>run(
            Priority.HIGH,
            later,
            () -> {
              throw new IllegalStateException("no");
            });
    assertThatThrownBy(() -> failed.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("no");
    lane.run(Priority.HIGH, later, () -> 1).get(10, TimeUnit.SECONDS);

    await().until(() -> lane.gate().inside() == 0);
  }

  @Test
  void what_is_past_its_deadline_when_its_turn_comes_is_not_begun() throws Exception {
    var first = hold(Priority.HIGH);
    started.await();
    var begun = new AtomicLong();
    var second = lane.run(Priority.HIGH, later, begun::incrementAndGet);

    now.set(Duration.ofSeconds(1).toNanos());
    held.countDown();

    assertThatThrownBy(() -> second.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(DeadlineException.class);
    first.get(10, TimeUnit.SECONDS);
    assertThat(begun).hasValue(0);
  }

  @Test
  void what_is_cancelled_in_the_queue_is_not_begun_and_leaves_its_place() throws Exception {
    var first = hold(Priority.HIGH);
    started.await();
    assertThat(lane.idle()).as("its one thread is taken").isFalse();
    var begun = new AtomicLong();
    var second = lane.run(Priority.HIGH, later, begun::incrementAndGet);
    var third = lane.run(Priority.HIGH, later, begun::incrementAndGet);

    second.cancel(false);
    held.countDown();

    first.get(10, TimeUnit.SECONDS);
    assertThat(third.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    await().until(() -> lane.gate().inside() == 0);
    assertThat(lane.idle()).isTrue();
  }

  @Test
  void what_need_not_wait_is_done_by_who_asks_before_he_goes_on() {
    var done = lane.runHere(Priority.HIGH, later, Thread::currentThread);

    assertThat(done).isCompletedWithValue(Thread.currentThread());
    assertThat(lane.gate().inside()).isZero();
    assertThat(lane.idle()).isTrue();
    var failed =
        lane.<Void>runHere(
            Priority.HIGH,
            later,
            () -> {
              throw new IllegalStateException("no");
            });
    assertThat(failed).isCompletedExceptionally();
    assertThat(lane.idle()).isTrue();
  }

  @Test
  void who_asks_waits_for_no_others_and_no_more_is_under_way_than_there_is_place_for()
      throws Exception {
    var first = hold(Priority.HIGH);
    started.await();
    var second = lane.runHere(Priority.HIGH, later, Thread::currentThread);

    assertThat(second).isNotDone();
    assertThat(first).isNotDone();
    held.countDown();
    assertThat(second.get(10, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
  }

  @Test
  void what_came_meanwhile_is_done_by_a_thread_of_the_lane_and_not_by_who_asked_before()
      throws Exception {
    var others = new ArrayList<CompletableFuture<Thread>>();
    lane.runHere(
        Priority.HIGH,
        later,
        () -> {
          others.add(lane.run(Priority.HIGH, later, Thread::currentThread));
          others.add(lane.runHere(Priority.HIGH, later, Thread::currentThread));
          return others.stream().noneMatch(CompletableFuture::isDone);
        });

    for (var other : others) {
      assertThat(other.get(10, TimeUnit.SECONDS).getName()).startsWith("s1-");
    }
    await().until(lane::idle);
    assertThat(lane.runHere(Priority.HIGH, later, () -> 1)).isCompletedWithValue(1);
  }

  @Test
  void what_waits_when_it_is_closed_is_never_begun() throws Exception {
    hold(Priority.HIGH);
    started.await();
    var begun = new AtomicLong();
    lane.run(Priority.HIGH, later, begun::incrementAndGet);
    lane.close();
    held.countDown();

    await().during(Duration.ofMillis(100)).until(() -> begun.get() == 0);
  }

  @Test
  void what_no_thread_can_be_had_for_fails_and_keeps_its_place_from_nobody() {
    lane.close();

    assertThat(lane.run(Priority.HIGH, later, () -> 1)).isCompletedExceptionally();
    assertThat(lane.idle()).isTrue();
    assertThat(lane.runHere(Priority.HIGH, later, () -> 1)).isCompletedWithValue(1);
  }

  private void fill(Priority priority, int count) {
    for (int i = 0; i < count; i++) {
      hold(priority);
    }
  }

  private CompletableFuture<Void> hold(Priority priority) {
    return lane.run(
        priority,
        later,
        () -> {
          started.countDown();
          held.await();
          return null;
        });
  }
}
