package io.cellmesh.client;

import static io.cellmesh.client.UnrulyWorker.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AsyncSessionTest {
  private UnrulyWorker worker;
  private AsyncSession session;

  @BeforeEach
  void start() throws IOException {
    worker = UnrulyWorker.that(request -> UnrulyWorker.hangs());
    session = Samples.client(worker.url()).session().async();
  }

  @AfterEach
  void stop() throws IOException {
    worker.close();
  }

  @Test
  void a_call_that_is_cancelled_closes_its_connection() throws Exception {
    var calls =
        List.of(
            session.get(Samples.key()),
            session.put(Samples.trip()),
            session.put(Samples.cell("a/b", 1)),
            session.getAll(List.of(Lookup.row(Samples.ROW))),
            session.query(IndexQuery.of("trips_by_driver", "d1")));
    Asked.of(worker, calls.size());
    assertThat(worker.open()).isEqualTo(calls.size());

    calls.forEach(call -> call.cancel(false));
    Asked.closed(worker);
    for (var call : calls) {
      assertThatThrownBy(call::get).isInstanceOf(CancellationException.class);
    }
  }

  @Test
  void a_call_that_is_cancelled_is_not_repeated() {
    worker.behave(request -> problem(503, "down", "Retry-After: 1"));
    // Again if this machine has paused for so long before they were cancelled.
    Tries.oneHolds(
        () -> {
          worker.requests().clear();
          var call = session.get(Samples.key());
          var batch = session.getAll(List.of(Lookup.row(Samples.ROW)));
          Asked.of(worker, 2);
          call.cancel(true);
          batch.cancel(true);
          await()
              .during(Duration.ofMillis(1500))
              .atMost(Tries.PATIENCE)
              .until(() -> worker.requests().size() == 2);
        });
  }

  @Test
  void a_cancelled_call_says_nothing_of_its_host() throws Exception {
    var other = UnrulyWorker.that(request -> Samples.found());
    try (other) {
      var calls =
          new CellmeshClient(
                  Samples.settings(worker.url(), other.url()).withPatience(Duration.ofSeconds(5)))
              .session()
              .async();
      for (int i = 0; i < 3; i++) {
        var first = calls.get(Samples.key());
        var second = calls.get(Samples.key());
        CompletableFuture.anyOf(first, second).get();
        Asked.of(worker, i + 1);
        first.cancel(true);
        second.cancel(true);
      }
      assertThat(worker.requests()).hasSize(3);
    }
  }

  @Test
  void many_calls_wait_without_a_thread_each() throws Exception {
    var calls = new ArrayList<CompletableFuture<ReadResult>>();
    long before = threads();
    var end = new CountDownLatch(1);
    worker.behave(
        request ->
            connection -> {
              end.await();
              Samples.found().to(connection);
            });
    for (int i = 0; i < 100; i++) {
      calls.add(session.get(Samples.key()));
    }
    Asked.of(worker, 100);
    assertThat(threads() - before).isLessThan(50);
    end.countDown();
    for (var call : calls) {
      assertThat(call.get().cell()).isPresent();
    }
  }

  @Test
  void a_call_that_ended_is_forgotten_before_its_deadline() throws Exception {
    worker.behave(request -> Samples.found());
    var calls = Samples.client(worker.url()).session().within(Duration.ofMinutes(1)).async();
    var ended = new WeakReference<>(calls.get(Samples.key()));
    await()
        .atMost(Tries.PATIENCE)
        .until(
            () -> {
              System.gc();
              return ended.get() == null;
            });
    assertThat(worker.requests()).hasSize(1);
  }

  @Test
  void a_fault_of_the_client_itself_is_seen_at_once() {
    worker.behave(request -> Samples.found());
    var calls = new Calls(Samples.settings(worker.url()));
    var options = CallOptions.within(Duration.ofMinutes(1));
    var request =
        new Requests("trips").get(Lookup.row(Samples.ROW), options, new SessionPositions());
    var call =
        calls.make(
            request,
            reply -> {
              throw new IllegalStateException("a fault");
            },
            options.deadline());
    assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS)).hasMessageContaining("a fault");
  }

  @Test
  void a_future_fails_with_the_exception_itself() {
    worker.behave(request -> problem(400, "bad"));
    assertThatThrownBy(() -> session.get(Samples.key()).get())
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(CellmeshException.class);
  }

  @Test
  void the_synchronous_one_throws_where_it_was_called() {
    worker.behave(request -> problem(400, "bad"));
    assertThatThrownBy(() -> Samples.client(worker.url()).session().get(Samples.key()))
        .isInstanceOf(CellmeshException.class)
        .satisfies(
            failure ->
                assertThat(failure.getStackTrace())
                    .anyMatch(line -> line.getClassName().startsWith(getClass().getName())));
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("cellmesh-client"))
        .count();
  }
}
