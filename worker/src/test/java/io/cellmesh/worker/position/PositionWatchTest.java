package io.cellmesh.worker.position;

import static io.cellmesh.worker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.worker.position.Observation.Sight;
import io.cellmesh.worker.position.Outcome.Late;
import io.cellmesh.worker.position.Outcome.Visible;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PositionWatchTest {
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final FakeMaster master = new FakeMaster();
  private final PositionWatch watch =
      new PositionWatch("c1", master, System::nanoTime, timer, Runnable::run);

  @AfterEach
  void stop() {
    watch.close();
    timer.shutdownNow();
  }

  @Test
  void nobody_is_asked_while_nobody_waits() throws Exception {
    Thread.sleep(30);
    assertThat(master.questions).isEmpty();

    master.next = 100;
    assertThat(waiter(1).get(10, TimeUnit.SECONDS)).isEqualTo(new Visible());

    int asked = master.questions.size();
    Thread.sleep(30);
    assertThat(master.questions).hasSize(asked);
  }

  @Test
  void one_question_is_asked_for_all_who_wait() throws Exception {
    master.holdUp();
    var first = waiter(0);
    master.awaitQuestion();
    var others = new ArrayList<CompletableFuture<Outcome>>();
    for (int offset = 1; offset < 100; offset++) {
      others.add(waiter(offset));
    }
    master.next = 100;
    master.goOn();

    for (var other : others) {
      other.get(10, TimeUnit.SECONDS);
    }
    first.get(10, TimeUnit.SECONDS);
    // Positions, the rows that have passed by then, and those of a waiter that came in between.
    assertThat(master.questions).hasSizeBetween(2, 5);
    assertThat(master.questions).anyMatch(question -> question.keys().size() >= 99);
  }

  @Test
  void between_two_questions_there_are_two_milliseconds() throws Exception {
    long begun = System.nanoTime();
    var waits = waiter(1);
    await().until(() -> master.questions.size() >= 20);
    long took = System.nanoTime() - begun;
    int asked = master.questions.size();
    assertThat(Duration.ofNanos(took).toMillis()).isGreaterThanOrEqualTo(2L * (asked - 3));
    master.next = 100;
    waits.get(10, TimeUnit.SECONDS);
  }

  @Test
  void whoever_has_waited_for_long_is_looked_for_more_seldom() throws Exception {
    var waits = waiter(1);
    Thread.sleep(600);
    assertThat(master.questions).hasSizeBetween(1, 100);

    master.next = 100;
    assertThat(waits.get(10, TimeUnit.SECONDS)).isEqualTo(new Visible());
  }

  @Test
  void a_deadline_is_kept_while_the_master_hangs() throws Exception {
    master.holdUp();
    var patient = waiter(1);
    master.awaitQuestion();
    var future = watch.await(write(2, System.nanoTime() + Duration.ofMillis(50).toNanos()));

    assertThat(future.get(10, TimeUnit.SECONDS))
        .isEqualTo(new Late(WaitFor.ACCEPTED, Optional.empty()));
    assertThat(patient).isNotDone();
    assertThat(watch.size()).isOne();
    master.goOn();
  }

  @Test
  void a_look_that_fails_costs_nobody_the_wait() throws Exception {
    master.fails = true;
    var future = waiter(1);
    await().until(() -> master.questions.size() >= 2);
    assertThat(future).isNotDone();

    master.next = 100;
    master.fails = false;
    assertThat(future.get(10, TimeUnit.SECONDS)).isEqualTo(new Visible());
  }

  @Test
  void a_look_for_which_memory_was_short_is_not_the_last() throws Exception {
    master.error = Optional.of(new OutOfMemoryError("of a test"));
    var future = waiter(1);
    await().until(() -> !master.questions.isEmpty());

    master.next = 100;
    master.error = Optional.empty();
    assertThat(future.get(10, TimeUnit.SECONDS)).isEqualTo(new Visible());
  }

  @Test
  void who_waits_is_told_though_no_thread_can_be_had_for_what_depends_on_it() throws Exception {
    master.next = 100;
    var poor =
        new PositionWatch(
            "c1",
            master,
            System::nanoTime,
            timer,
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    try {
      var told = poor.await(write(1, System.nanoTime() + Duration.ofSeconds(60).toNanos()));
      assertThat(told.get(10, TimeUnit.SECONDS)).isEqualTo(new Visible());
    } finally {
      poor.close();
    }
  }

  @Test
  void a_row_that_is_due_is_not_asked_for_without_a_pause_while_looks_fail() throws Exception {
    master.next = 100;
    master.answersOnly(1);
    long begun = System.nanoTime();
    var future = waiter(1);
    Thread.sleep(350);
    int asked = master.questions.size();
    long took = Duration.ofNanos(System.nanoTime() - begun).toMillis();

    assertThat(asked).isBetween(2, (int) (3 + took / PositionWatch.EVERY_MILLIS_OF_AN_OUTAGE));
    assertThat(future).isNotDone();
  }

  @Test
  void closing_tells_those_who_wait_how_far_they_came_and_those_who_come_after() throws Exception {
    var future = waiter(1);
    watch.close();

    var late = new Late(WaitFor.ACCEPTED, Optional.empty());
    assertThat(future.get(10, TimeUnit.SECONDS)).isEqualTo(late);
    assertThat(waiter(2).get(10, TimeUnit.SECONDS)).isEqualTo(late);
  }

  private CompletableFuture<Outcome> waiter(long offset) {
    return watch.await(write(offset, System.nanoTime() + Duration.ofSeconds(60).toNanos()));
  }

  private static PendingWrite write(long offset, long deadline) {
    var key = new CellKey(new UUID(0, offset), "BASE", 1);
    var cell = new Cell(key, WaitingWritesTest.body("1"), Optional.empty());
    return new PendingWrite(cell, 0, offset, WaitFor.VISIBLE, deadline);
  }

  /** Has every row that is asked for. */
  private static final class FakeMaster implements Inquiry {
    private final List<Question> questions = new CopyOnWriteArrayList<>();
    private final Semaphore asked = new Semaphore(0);
    private final Semaphore answers = new Semaphore(0);
    private volatile boolean held;
    private volatile boolean fails;
    private volatile Optional<Error> error = Optional.empty();
    private volatile int answered = Integer.MAX_VALUE;
    private volatile long next;

    void holdUp() {
      held = true;
    }

    /** So many questions; all after them fail. */
    void answersOnly(int count) {
      answered = count;
    }

    void awaitQuestion() throws InterruptedException {
      assertThat(asked.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
    }

    void goOn() {
      held = false;
      answers.release();
    }

    @Override
    public Observation look(Question question) {
      questions.add(question);
      asked.release();
      if (held) {
        answers.acquireUninterruptibly();
      }
      error.ifPresent(
          e -> {
            throw e;
          });
      if (fails || questions.size() > answered) {
        throw new IllegalStateException("a defect");
      }
      var rows = new HashMap<CellKey, Body>();
      question.keys().forEach(key -> rows.put(key, WaitingWritesTest.body("1")));
      var sight = new Sight(Map.of(0, next), Set.copyOf(question.keys()), rows);
      return new Observation(
          Optional.of(sight), Optional.empty(), Map.of(), List.of(), Optional.empty());
    }
  }
}
