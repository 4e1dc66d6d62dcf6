package io.cellmesh.client;

import static io.cellmesh.client.UnrulyWorker.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.client.UnrulyWorker.Deed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An outage of everything is not made worse by those who ask again. */
@Timeout(60)
class OutageTest {
  private static final int CALLS = 500;

  private UnrulyWorker one;
  private UnrulyWorker two;

  @BeforeEach
  void start() throws IOException {
    one = UnrulyWorker.that(request -> UnrulyWorker.resets());
    two = UnrulyWorker.that(request -> UnrulyWorker.resets());
    one.behaveToProbes(request -> UnrulyWorker.resets());
    two.behaveToProbes(request -> UnrulyWorker.resets());
  }

  @AfterEach
  void stop() throws IOException {
    one.close();
    two.close();
  }

  static Stream<Named<Deed>> outages() {
    return Stream.of(
        Named.of("unavailable", problem(503, "down", "Retry-After: 0")),
        Named.of("full", problem(429, "full", "Retry-After: 0")),
        Named.of("fault", problem(500, "oops")),
        Named.of("reset", UnrulyWorker.resets()),
        Named.of("hangs up", UnrulyWorker.hangsUp()),
        Named.of("wrong", UnrulyWorker.raw(200, "text/html", "<html>")),
        Named.of("slow", UnrulyWorker.after(150, problem(500, "oops"))));
  }

  @ParameterizedTest
  @MethodSource("outages")
  void at_most_a_fifth_of_the_calls_is_repeated(Deed outage) throws Exception {
    one.behave(request -> outage);
    two.behave(request -> outage);
    var session =
        new CellmeshClient(
                Samples.settings(one.url(), two.url()).withPatience(Duration.ofMillis(100)))
            .session()
            .async();
    var open = new ArrayList<CompletableFuture<?>>();
    for (int i = 0; i < CALLS; i++) {
      open.add(
          (i % 2 == 0 ? session.get(Samples.key()) : session.put(Samples.trip()))
              .handle((result, failure) -> failure));
      if (open.size() == 20) {
        for (var call : open) {
          assertThat((Throwable) call.get()).isInstanceOf(CellmeshException.class);
        }
        open.clear();
      }
    }
    int requests = one.requests().size() + two.requests().size();
    assertThat(requests).isBetween(CALLS + 50, CALLS + CALLS / 5 + RetryBudget.AT_FIRST);
  }

  @Test
  void a_budget_begins_with_ten_retries_and_saves_up_a_hundred_of_one_in_five_calls() {
    var budget = new RetryBudget();
    assertThat(withdrawals(budget)).isEqualTo(10);
    deposit(budget, 14);
    assertThat(withdrawals(budget)).isEqualTo(2);
    deposit(budget, 1);
    assertThat(withdrawals(budget)).isEqualTo(1);
    deposit(budget, 1000);
    assertThat(withdrawals(budget)).isEqualTo(100);
  }

  @Test
  void waits_double_up_to_a_second_and_are_drawn_from_nothing_on() {
    var longest = new Backoff(() -> 0.999999);
    assertThat(longest.delay(0)).isBetween(Duration.ofMillis(19), Duration.ofMillis(20));
    assertThat(longest.delay(1)).isBetween(Duration.ofMillis(39), Duration.ofMillis(40));
    assertThat(longest.delay(5)).isBetween(Duration.ofMillis(630), Duration.ofMillis(640));
    assertThat(longest.delay(1000)).isBetween(Duration.ofMillis(999), Duration.ofSeconds(1));
    assertThat(new Backoff(() -> 0).delay(5)).isZero();
  }

  @Test
  void a_host_that_takes_no_connection_costs_no_retry() throws Exception {
    two.close();
    one.behave(request -> Samples.found());
    var session = sessionWithoutRetries();
    for (int i = 0; i < 4; i++) {
      assertThat(session.get(Samples.key()).get().cell()).isPresent();
    }
  }

  @Test
  void of_hosts_that_all_take_no_connection_each_is_asked_once() throws Exception {
    one.close();
    two.close();
    var session = sessionWithoutRetries();
    long begun = System.nanoTime();
    assertThatThrownBy(() -> session.get(Samples.key()).get())
        .hasCauseInstanceOf(CellmeshException.class)
        .hasMessageContaining("connection refused");
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
  }

  private AsyncSession sessionWithoutRetries() {
    var settings = Samples.settings(one.url(), two.url());
    var calls = new Calls(settings);
    withdrawals(calls.budget);
    return new AsyncSession(
        calls,
        new Requests("trips"),
        SessionPositions.parse(""),
        CallOptions.within(settings.deadline()));
  }

  private static void deposit(RetryBudget budget, int calls) {
    for (int i = 0; i < calls; i++) {
      budget.deposit();
    }
  }

  private static int withdrawals(RetryBudget budget) {
    int count = 0;
    while (budget.withdraw()) {
      count++;
    }
    return count;
  }
}
