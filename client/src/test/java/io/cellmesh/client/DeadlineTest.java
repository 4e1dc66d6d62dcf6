package io.cellmesh.client;

import static io.cellmesh.client.UnrulyWorker.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.client.UnrulyWorker.Deed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A call ends by its deadline, whatever becomes of it. */
@Timeout(60)
class DeadlineTest {
  private static final Duration DEADLINE = Duration.ofMillis(400);
  private static final Duration SLACK = Duration.ofMillis(50);

  private UnrulyWorker one;
  private UnrulyWorker two;

  @BeforeEach
  void start() throws Exception {
    one = UnrulyWorker.that(request -> Samples.found());
    two = UnrulyWorker.that(request -> Samples.found());
    // What a JVM does only once is not what is measured.
    try (var other = UnrulyWorker.that(request -> Samples.found())) {
      Samples.client(other.url()).session().get(Samples.key());
    }
  }

  @AfterEach
  void stop() throws IOException {
    one.close();
    two.close();
  }

  static Stream<Named<Deed>> delays() {
    return Stream.of(
        Named.of("hangs", UnrulyWorker.hangs()),
        Named.of("drips", UnrulyWorker.drips(Samples.json("BASE", 1), "Cellmesh-Served-By: s")),
        Named.of("slow", UnrulyWorker.after(1000, Samples.found())),
        Named.of("fails slowly", UnrulyWorker.after(150, problem(500, "oops"))),
        Named.of("fails fast", problem(500, "oops")));
  }

  @ParameterizedTest
  @MethodSource("delays")
  void a_deadline_is_kept_with_all_that_is_repeated(Deed delay) {
    one.behave(request -> delay);
    two.behave(request -> delay);
    var session = Samples.client(one.url(), two.url()).session().within(DEADLINE);
    assertKept(
        () ->
            assertThatThrownBy(() -> session.get(Samples.key()))
                .isInstanceOf(CellmeshException.class));
  }

  @Test
  void it_is_kept_for_batches_too() {
    var batch =
        "{\"results\":[{\"status\":503,\"problem\":{\"title\":\"down\",\"detail\":\"c1\"}}]}";
    one.behave(request -> UnrulyWorker.after(90, UnrulyWorker.answer(200, batch)));
    var session = Samples.client(one.url()).session().within(DEADLINE);
    assertKept(
        () -> {
          var outcomes = session.getAll(List.of(Lookup.cell(Samples.key())));
          assertThatThrownBy(() -> outcomes.get(0).get()).hasMessageContaining("503 down: c1");
        });
    assertThat(one.requests()).hasSizeGreaterThan(2);
  }

  @Test
  void the_exception_says_what_was_last_heard() {
    Tries.oneHolds(
        () -> {
          one.behave(UnrulyWorker.inTurn(problem(500, "oops"), UnrulyWorker.hangs()));
          assertThatThrownBy(
                  () -> Samples.client(one.url()).session().within(DEADLINE).get(Samples.key()))
              .hasMessage("no answer within 400 ms; last: " + one.url() + ": 500 Title: oops")
              .isInstanceOfSatisfying(
                  CellmeshException.class, failure -> assertThat(failure.status()).isZero());
        });
  }

  @Test
  void each_attempt_tells_the_worker_what_is_left() throws Exception {
    one.behave(UnrulyWorker.inTurn(UnrulyWorker.after(150, problem(500, "oops")), Samples.found()));
    Samples.client(one.url()).session().within(Duration.ofSeconds(20)).get(Samples.key());

    // A machine that is busy makes them less, never more.
    assertThat(told(0)).isLessThanOrEqualTo(19_900);
    assertThat(told(1)).isBetween(1, told(0) - 150);
  }

  @Test
  void the_worker_is_told_a_little_less_so_that_its_answer_is_in_time() {
    // A worker that sees its deadline pass needs a moment to say so.
    int moment = 10;
    one.behave(
        request ->
            UnrulyWorker.after(
                Long.parseLong(request.parameter("deadline").orElseThrow()) + moment,
                problem(503, "master down", "Retry-After: 1")));
    var session = Samples.client(one.url()).session().within(DEADLINE);
    assertWithin(
        DEADLINE,
        () ->
            assertThatThrownBy(() -> session.get(Samples.key()))
                .hasMessageContaining("503 Title: master down"));
  }

  @Test
  void what_depends_on_a_call_holds_up_no_other_ones_deadline() throws Exception {
    one.behave(request -> UnrulyWorker.hangs());
    var client = Samples.client(one.url());
    var end = new CountDownLatch(1);
    var slow =
        client
            .session()
            .within(Duration.ofMillis(50))
            .async()
            .get(Samples.key())
            .whenComplete((result, failure) -> hold(end));
    assertKept(
        () ->
            assertThatThrownBy(() -> client.session().within(DEADLINE).get(Samples.key()))
                .isInstanceOf(CellmeshException.class));
    assertThatThrownBy(() -> slow.get(0, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    end.countDown();
  }

  @Test
  void who_is_interrupted_gives_up_at_once_and_closes_the_connection() throws Exception {
    one.behave(request -> UnrulyWorker.hangs());
    var thrown = new AtomicReference<Throwable>();
    var caller =
        new Thread(
            () -> {
              try {
                Samples.client(one.url()).session().get(Samples.key());
              } catch (Throwable e) {
                thrown.set(e);
              }
            });
    caller.start();
    Asked.of(one, 1);
    caller.interrupt();
    caller.join(Tries.PATIENCE.toMillis());
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    Asked.closed(one);
  }

  private static void assertKept(ThrowingRunnable call) {
    assertWithin(DEADLINE.plus(SLACK), call);
  }

  private static void assertWithin(Duration most, ThrowingRunnable call) {
    Tries.oneHolds(
        () -> {
          long start = System.nanoTime();
          call.run();
          assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(most);
        });
  }

  private int told(int request) {
    return Integer.parseInt(one.requests().get(request).parameter("deadline").orElseThrow());
  }

  private static void hold(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
