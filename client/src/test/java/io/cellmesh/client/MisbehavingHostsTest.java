package io.cellmesh.client;

import static io.cellmesh.client.UnrulyWorker.answer;
import static io.cellmesh.client.UnrulyWorker.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.client.UnrulyWorker.Deed;
import io.cellmesh.client.UnrulyWorker.Request;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A caller does not notice that one of two hosts is unwell. */
@Timeout(60)
class MisbehavingHostsTest {
  private UnrulyWorker bad;
  private UnrulyWorker good;

  @BeforeEach
  void start() throws IOException {
    bad = UnrulyWorker.that(request -> UnrulyWorker.resets());
    good = UnrulyWorker.that(request -> well(request.method()));
    // Nobody is well again of himself.
    bad.behaveToProbes(request -> problem(503, "not ready"));
  }

  @AfterEach
  void stop() throws IOException {
    bad.close();
    good.close();
  }

  static Stream<Named<Deed>> failures() {
    var another = UUID.fromString("00000000-0000-0000-0000-000000000000");
    return Stream.of(
        Named.of("reset", UnrulyWorker.resets()),
        Named.of("hangs up", UnrulyWorker.hangsUp()),
        Named.of(
            "dies within",
            UnrulyWorker.diesWithin(Samples.json("BASE", 1), "Cellmesh-Served-By: s")),
        Named.of("hangs", UnrulyWorker.hangs()),
        Named.of("slow", UnrulyWorker.after(3000, Samples.found())),
        Named.of("drips", UnrulyWorker.drips(Samples.json("BASE", 1), "Cellmesh-Served-By: s")),
        Named.of("no HTTP", connection -> connection.getOutputStream().write(new byte[100])),
        Named.of("page of a proxy", UnrulyWorker.raw(200, "text/html", "<html>")),
        Named.of("gateway", UnrulyWorker.raw(502, "text/html", "<html>")),
        Named.of("elsewhere", UnrulyWorker.raw(302, "text/html", "", "Location: /login")),
        Named.of("another JSON", answer(200, "{\"ok\":true}", "Cellmesh-Served-By: s")),
        Named.of("cut JSON", Samples.found("{\"v\":1,\"row_key\":")),
        Named.of("more JSON", Samples.found(Samples.json("BASE", 1) + "{}")),
        Named.of("another row", Samples.found(Samples.json(another, "BASE", 1, "1"))),
        Named.of("another column", Samples.found(Samples.json("OTHER", 1))),
        Named.of("another cell", Samples.found(Samples.json("BASE", 2))),
        Named.of("no server", answer(200, Samples.json("BASE", 1))),
        Named.of("fault", problem(500, "oops")),
        Named.of("ends", problem(503, "about to end")),
        Named.of("ends at once", problem(503, "about to end", "Retry-After: 0")),
        Named.of("too busy", problem(429, "full", "Retry-After: 0")));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void a_read_is_answered_by_the_other(Deed failure) throws Exception {
    bad.behave(request -> failure);
    var session =
        new CellmeshClient(
                Samples.settings(bad.url(), good.url()).withPatience(Duration.ofMillis(150)))
            .session();
    for (int i = 0; i < 4; i++) {
      assertThat(session.get(Samples.key()).cell()).isPresent();
    }
    assertThat(bad.requests()).isNotEmpty();
    assertThat(good.requests()).hasSize(4);
  }

  static Stream<Named<Deed>> failuresOfWrites() {
    return Stream.concat(
        failures().filter(each -> !each.getName().startsWith("another")).limit(11),
        Stream.of(
            Named.of("no state", answer(200, "{\"status\":200}")),
            Named.of("unknown state", answer(200, "{\"status\":200,\"state\":\"gone\"}")),
            Named.of("no master", answer(202, "{\"status\":202,\"state\":\"buffered\"}")),
            Named.of(
                "no position",
                answer(200, "{\"status\":200,\"state\":\"visible\"}", "Cellmesh-Position: here")),
            Named.of("no digests", problem(409, "another body"))));
  }

  @ParameterizedTest
  @MethodSource("failuresOfWrites")
  void a_write_is_told_by_the_other(Deed failure) throws Exception {
    bad.behave(request -> failure);
    var session =
        new CellmeshClient(
                Samples.settings(bad.url(), good.url()).withPatience(Duration.ofMillis(150)))
            .session();
    for (int i = 0; i < 4; i++) {
      assertThat(session.put(Samples.trip()).isAtLeast(Reached.VISIBLE)).isTrue();
    }
    assertThat(bad.requests()).isNotEmpty();
    assertThat(good.requests()).hasSize(4);
  }

  @Test
  void a_host_that_stopped_within_the_answer_to_a_probe_is_probed_again() throws Exception {
    bad.behaveToProbes(
        UnrulyWorker.inTurn(UnrulyWorker.stopsWithin("{\"status\":\"ok\"}"), answer(200, "{}")));
    var session = new CellmeshClient(Samples.settings(bad.url(), good.url())).session();

    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              session.get(Samples.key());
              return bad.probes().size() >= 2;
            });
  }

  @Test
  void a_call_is_not_repeated_where_it_failed_while_another_host_is_left() throws Exception {
    bad.behave(request -> problem(500, "oops"));
    good.behave(
        request -> Samples.found(Samples.json(request.path().replaceFirst(".*/(.*)/1", "$1"), 1)));
    var session = Samples.client(bad.url(), good.url()).session().async();
    var calls =
        IntStream.range(0, 12).mapToObj(i -> session.get(Samples.cell("C" + i, 1).key())).toList();
    for (var call : calls) {
      assertThat(call.get().cell()).isPresent();
    }
    assertThat(bad.requests()).isNotEmpty().extracting(Request::path).doesNotHaveDuplicates();
  }

  @Test
  void a_host_that_dies_under_load_costs_no_caller_an_error() throws Exception {
    bad.behave(request -> Samples.found());
    good.behave(request -> Samples.found());
    var session = Samples.client(bad.url(), good.url()).session();
    for (int i = 0; i < 250; i++) {
      session.get(Samples.key());
    }
    bad.requests().clear();
    good.requests().clear();
    bad.behave(request -> UnrulyWorker.hangs());
    good.behave(request -> UnrulyWorker.after(500, Samples.found()));
    var calls = IntStream.range(0, 60).mapToObj(i -> session.async().get(Samples.key())).toList();
    Asked.of(bad, 30);
    Asked.of(good, 30);
    bad.close();

    for (var call : calls) {
      assertThat(call.get().cell()).isPresent();
    }
    assertThat(good.requests()).hasSize(60);
  }

  @Test
  void an_exception_says_in_words_why_there_is_no_answer() throws Exception {
    assertThatThrownBy(() -> row(bad.url())).hasMessageStartingWith(bad.url() + ": ");
    bad.behave(request -> UnrulyWorker.hangsUp());
    assertThatThrownBy(() -> row(bad.url()))
        .hasMessage(bad.url() + ": the connection ended before the answer began");
    bad.behave(request -> UnrulyWorker.raw(200, "text/html", "<html>secret"));
    assertThatThrownBy(() -> row(bad.url()))
        .hasMessage(bad.url() + ": 200 with another content: no header Cellmesh-Served-By");
    bad.behave(request -> Samples.found("<html>secret"));
    assertThatThrownBy(() -> row(bad.url()))
        .hasMessage(bad.url() + ": 200 with another content: not JSON, or cut short");
    bad.close();
    assertThatThrownBy(() -> row(bad.url())).hasMessage(bad.url() + ": connection refused");
    var nowhere = URI.create("http://no-such-host.invalid");
    assertThatThrownBy(() -> row(nowhere)).hasMessage(nowhere + ": unknown host");
  }

  /** With no retries left, and so the first failure as it is. */
  private static void row(URI host) throws InterruptedException {
    var calls = new Calls(Samples.settings(host));
    while (calls.budget.withdraw()) {}
    new Session(
            new AsyncSession(
                calls,
                new Requests("trips"),
                new SessionPositions(),
                CallOptions.within(Duration.ofSeconds(5))))
        .row(Samples.ROW);
  }

  @Test
  void an_answer_begun_before_a_host_failed_brings_no_calls_back_to_it() throws Exception {
    bad.behave(
        UnrulyWorker.inTurn(UnrulyWorker.after(300, Samples.found()), UnrulyWorker.resets()));
    good.behave(request -> Samples.found());
    var session = Samples.client(bad.url(), good.url()).session();
    var slow = begun(session);
    while (bad.requests().isEmpty()) {
      slow = begun(session);
    }
    for (int i = 0; i < 4; i++) {
      session.get(Samples.key());
    }
    slow.get();
    for (int i = 0; i < 4; i++) {
      session.get(Samples.key());
    }
    assertThat(bad.requests()).hasSize(2);
  }

  /** A call whose request has come to one of the hosts. */
  private CompletableFuture<ReadResult> begun(Session session) {
    int before = bad.requests().size() + good.requests().size();
    var call = session.async().get(Samples.key());
    await()
        .atMost(Tries.PATIENCE)
        .until(() -> bad.requests().size() + good.requests().size() > before);
    return call;
  }

  @Test
  void a_host_that_is_gone_is_noticed() throws Exception {
    bad.close();
    var session = Samples.client(bad.url(), good.url()).session();
    for (int i = 0; i < 20; i++) {
      assertThat(session.get(Samples.key()).cell()).isPresent();
    }
    assertThat(good.requests()).hasSize(20);
  }

  @Test
  void a_request_that_gets_no_answer_is_sent_once() throws Exception {
    // HttpClient would send a GET again by itself.
    assertThatThrownBy(
            () ->
                new CellmeshClient(Samples.settings(bad.url()))
                    .session()
                    .within(Duration.ofMillis(400))
                    .get(Samples.key()))
        .isInstanceOf(CellmeshException.class);
    assertThat(bad.requests()).hasSizeBetween(1, 1 + RetryBudget.AT_FIRST);

    // Of its own, for the last request to the other one may still be on its way.
    try (var once = UnrulyWorker.that(request -> UnrulyWorker.hangsUp())) {
      once.behave(UnrulyWorker.inTurn(UnrulyWorker.hangsUp(), Samples.found()));
      once.behaveToProbes(request -> problem(503, "not ready"));
      good.behave(request -> Samples.found());
      var client = Samples.client(once.url(), good.url());
      client.session().get(Samples.key());
      client.session().get(Samples.key());
      assertThat(once.requests()).hasSize(1);
    }
  }

  @Test
  void a_host_that_failed_gets_no_calls_until_it_says_that_it_is_well() throws Exception {
    var session = Samples.client(bad.url(), good.url()).session();
    for (int i = 0; i < 10; i++) {
      session.get(Samples.key());
    }
    assertThat(bad.requests()).hasSize(1);

    await()
        .atMost(Tries.PATIENCE)
        .until(
            () -> {
              session.get(Samples.key());
              return bad.probes().size() > 1;
            });
    assertThat(bad.requests()).hasSize(1);

    bad.behave(request -> Samples.found());
    bad.behaveToProbes(request -> answer(200, "{}"));
    await()
        .atMost(Tries.PATIENCE)
        .until(
            () -> {
              session.get(Samples.key());
              return bad.requests().size() > 2;
            });
  }

  @Test
  void a_host_that_keeps_one_call_waiting_keeps_no_second_one_waiting() {
    bad.behave(request -> UnrulyWorker.hangs());
    // Whose connection would stay, were it answered.
    bad.behaveToProbes(request -> UnrulyWorker.hangsUp());
    Tries.oneHolds(
        () -> {
          bad.requests().clear();
          var session =
              new CellmeshClient(
                      Samples.settings(bad.url(), good.url()).withPatience(Duration.ofMillis(200)))
                  .session();
          for (int i = 0; i < 20; i++) {
            session.get(Samples.key());
          }
          assertThat(bad.requests()).hasSize(1);
        });
    // What was given up is closed, and holds nothing there.
    Asked.closed(bad);
  }

  @Test
  void a_slow_answer_counts_if_it_comes_first() throws Exception {
    bad.behave(request -> UnrulyWorker.after(400, Samples.found(Samples.json("BASE", 1))));
    good.behave(request -> UnrulyWorker.hangs());
    var session =
        new CellmeshClient(
                Samples.settings(bad.url(), good.url()).withPatience(Duration.ofMillis(100)))
            .session();
    assertThat(session.get(Samples.key()).cell()).isPresent();
    assertThat(bad.requests().size() + good.requests().size()).isLessThanOrEqualTo(3);
  }

  @Test
  void nobody_comes_back_before_he_was_asked_to() throws Exception {
    bad.behave(UnrulyWorker.inTurn(problem(503, "master down", "Retry-After: 1"), Samples.found()));
    var session = Samples.client(bad.url()).session();
    long start = System.nanoTime();
    session.get(Samples.key());
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(10));
    assertThat(bad.requests()).hasSize(2);
  }

  @Test
  void who_would_have_to_wait_beyond_the_deadline_is_told_at_once() throws Exception {
    bad.behave(request -> problem(429, "full", "Retry-After: 30"));
    var session = Samples.client(bad.url(), bad.url()).session();
    long start = System.nanoTime();
    assertThatThrownBy(() -> session.put(Samples.trip()))
        .isInstanceOfSatisfying(
            CellmeshException.class,
            failure -> {
              assertThat(failure.status()).isEqualTo(429);
              assertThat(failure.retryAfter()).contains(Duration.ofSeconds(30));
            });
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    assertThat(bad.requests()).hasSize(1);
  }

  @Test
  void a_worker_that_is_about_to_end_is_left_soon_whatever_it_says_of_when_to_come_back()
      throws Exception {
    bad.behave(request -> problem(503, "about to end", "Retry-After: 1"));
    var session = Samples.client(bad.url(), good.url()).session();
    for (int i = 0; i < 100; i++) {
      session.get(Samples.key());
    }
    // Those that come before it has said that it is not ready are few.
    assertThat(bad.requests()).hasSizeBetween(1, 5);
    assertThat(good.requests()).hasSize(100);
  }

  @Test
  void a_proxy_whose_worker_is_gone_is_left() throws Exception {
    bad.behave(request -> UnrulyWorker.raw(502, "text/html", "<html>"));
    var session = Samples.client(bad.url(), good.url()).session();
    for (int i = 0; i < 6; i++) {
      session.get(Samples.key());
    }
    assertThat(bad.requests()).hasSize(1);
  }

  @Test
  void a_worker_that_is_well_and_did_not_serve_one_call_gets_the_next() {
    bad.behaveToProbes(request -> answer(200, "{}"));
    Tries.oneHolds(
        () -> {
          bad.requests().clear();
          bad.behave(
              UnrulyWorker.inTurn(problem(503, "master down", "Retry-After: 0"), Samples.found()));
          var session = Samples.client(bad.url(), good.url()).session();
          for (int i = 0; i < 10; i++) {
            session.get(Samples.key());
          }
          assertThat(bad.requests()).hasSizeGreaterThan(4);
        });
  }

  @Test
  void a_worker_that_has_too_much_to_do_for_one_call_is_well_for_others() {
    bad.behaveToProbes(request -> answer(200, "{}"));
    good.behaveToProbes(request -> answer(200, "{}"));
    bad.behave(request -> problem(503, "master down", "Retry-After: 30"));
    good.behave(request -> problem(503, "master down", "Retry-After: 30"));
    // Again if a pause of this machine has kept one's word of how well it is.
    Tries.oneHolds(
        () -> {
          bad.requests().clear();
          good.requests().clear();
          var session = Samples.client(bad.url(), good.url()).session();
          for (int i = 0; i < 4; i++) {
            assertThatThrownBy(() -> session.get(Samples.key()))
                .isInstanceOf(CellmeshException.class);
          }
          assertThat(bad.requests()).hasSize(2);
          assertThat(good.requests()).hasSize(2);
        });
  }

  private static Deed well(String method) {
    return method.equals("PUT") ? Samples.visible() : Samples.found();
  }
}
