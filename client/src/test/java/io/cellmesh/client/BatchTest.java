package io.cellmesh.client;

import static io.cellmesh.client.Samples.ROW;
import static io.cellmesh.client.UnrulyWorker.answer;
import static io.cellmesh.client.UnrulyWorker.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.client.UnrulyWorker.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BatchTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DOWN =
      "{\"status\":503,\"problem\":{\"title\":\"Unavailable\",\"detail\":\"c1 is down\"}}";

  private UnrulyWorker worker;
  private Session session;

  @BeforeEach
  void start() throws IOException {
    worker = UnrulyWorker.that(request -> problem(500, "unused"));
    session = Samples.client(worker.url()).session();
  }

  @AfterEach
  void stop() throws IOException {
    worker.close();
  }

  @Test
  void results_stand_in_the_order_of_the_keys() throws Exception {
    worker.behave(request -> results(request, ref -> found(ref)));
    var outcomes = session.getAll(lookups(500));

    assertThat(outcomes).hasSize(500);
    for (int i = 0; i < 500; i++) {
      assertThat(outcomes.get(i).get().cell().orElseThrow().cell().key().refKey()).isEqualTo(i);
    }
  }

  @Test
  void one_part_fails_and_the_others_do_not() throws Exception {
    worker.behave(
        request ->
            answer(
                200,
                """
                {"results":[%s,
                 {"status":404,"served_by":"c1/minion/h:1","stale_up_to":"1.5"},
                 {"status":400,"problem":{"title":"Invalid","detail":"too long","field":"column_name"}}]}"""
                    .formatted(found(0))));
    var outcomes = session.getAll(lookups(3));

    assertThat(outcomes.get(0).get().cell()).isPresent();
    assertThat(outcomes.get(1).get().cell()).isEmpty();
    assertThat(outcomes.get(1).get().source().server()).isEqualTo("c1/minion/h:1");
    assertThat(outcomes.get(1).get().source().staleUpTo().orElseThrow()).hasMillis(1500);
    assertThatThrownBy(() -> outcomes.get(2).get())
        .isInstanceOf(CellmeshException.class)
        .hasMessage(ROW + "/BASE/2: 400 Invalid: too long");
    assertThat(worker.requests()).hasSize(1);
  }

  @Test
  void each_write_has_a_result_of_its_own() throws Exception {
    worker.behave(
        request ->
            answer(
                200,
                """
                {"results":[
                 {"status":200,"state":"visible","position":"dc1:AbCdEfGh:3:17"},
                 {"status":409,"position":"dc1:AbCdEfGh:3:18","problem":{"kept":"a","refused":"b","final":true}},
                 {"status":422,"problem":{"detail":"column too long","position":"dc1:AbCdEfGh:3:19"}}]}"""));
    var outcomes =
        session.putAll(
            List.of(Samples.cell("BASE", 1), Samples.cell("BASE", 2), Samples.cell("C", 3)));

    assertThat(outcomes)
        .containsExactly(
            new Outcome.Done<>(new WriteResult.Visible(Position.parse("dc1:AbCdEfGh:3:17"))),
            new Outcome.Done<>(
                new WriteResult.Conflict(Position.parse("dc1:AbCdEfGh:3:18"), "a", "b", true)),
            new Outcome.Done<>(
                new WriteResult.Rejected(Position.parse("dc1:AbCdEfGh:3:19"), "column too long")));
    var cells = JSON.readTree(worker.only().body()).path("cells");
    assertThat(cells.get(1).path("ref_key").asLong()).isEqualTo(2);
    assertThat(cells.get(2).path("column_name").asText()).isEqualTo("C");
    assertThat(cells.get(2).path("body").toString()).isEqualTo("{\"fare\":12.95}");
  }

  @Test
  void what_failed_in_passing_is_asked_for_again_without_the_rest() throws Exception {
    var round = new AtomicInteger();
    worker.behave(
        request -> {
          boolean first = round.getAndIncrement() == 0;
          return results(request, ref -> first && ref % 3 == 0 ? DOWN : found(ref));
        });
    var outcomes = session.getAll(lookups(10));

    for (int i = 0; i < 10; i++) {
      assertThat(outcomes.get(i).get().cell().orElseThrow().cell().key().refKey()).isEqualTo(i);
    }
    assertThat(worker.requests()).hasSize(2);
    assertThat(refs(worker.requests().get(1))).containsExactly(0, 3, 6, 9);
  }

  @Test
  void what_keeps_failing_keeps_its_failure() {
    worker.behave(request -> results(request, ref -> ref == 1 ? DOWN : found(ref)));
    Tries.oneHolds(
        () -> {
          worker.requests().clear();
          var outcomes = session.within(Duration.ofMillis(300)).getAll(lookups(3));

          assertThat(outcomes.get(0).get().cell()).isPresent();
          assertThatThrownBy(() -> outcomes.get(1).get())
              .hasMessageContaining("503 Unavailable: c1 is down");
          assertThat(worker.requests()).hasSizeBetween(2, 1 + RetryBudget.AT_FIRST);
        });
  }

  @Test
  void a_later_round_that_fails_as_a_whole_takes_nothing_back() throws Exception {
    var round = new AtomicInteger();
    worker.behave(
        request ->
            round.getAndIncrement() == 0
                ? results(request, ref -> ref == 1 ? DOWN : found(ref))
                : problem(400, "not now"));
    var outcomes = session.getAll(lookups(3));
    assertThat(outcomes.get(2).get().cell()).isPresent();
    assertThatThrownBy(() -> outcomes.get(1).get()).hasMessageContaining("c1 is down");
  }

  @Test
  void parts_that_fail_are_repeated_within_the_budget() throws Exception {
    worker.behave(request -> results(request, ref -> DOWN));
    for (int i = 0; i < 100; i++) {
      session.getAll(lookups(2));
    }
    assertThat(worker.requests()).hasSizeBetween(110, 100 + 20 + RetryBudget.AT_FIRST);
  }

  @Test
  void an_answer_with_too_few_results_is_no_answer() throws Exception {
    worker.behave(
        UnrulyWorker.inTurn(
            answer(200, "{\"results\":[%s]}".formatted(found(0))),
            answer(200, "{\"results\":[%s,%s]}".formatted(found(0), found(1)))));
    assertThat(session.getAll(lookups(2)).get(1).get().cell()).isPresent();
  }

  @Test
  void a_batch_has_a_size() {
    assertThatThrownBy(() -> session.getAll(List.of())).hasMessage("batch: 0 is not in 1..500");
    assertThatThrownBy(() -> session.putAll(Collections.nCopies(501, Samples.trip())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("batch: 501 is not in 1..500");
  }

  private static List<Lookup> lookups(int count) {
    return IntStream.range(0, count)
        .mapToObj(ref -> Lookup.cell(Samples.cell("BASE", ref).key()))
        .toList();
  }

  private static String found(int ref) {
    return "{\"status\":200,\"served_by\":\"s\",\"cells\":[%s]}"
        .formatted(Samples.json("BASE", ref));
  }

  private static UnrulyWorker.Deed results(Request request, IntFunction<String> result)
      throws IOException {
    var parts = refs(request).stream().map(result::apply).toList();
    return answer(200, "{\"results\":[%s]}".formatted(String.join(",", parts)));
  }

  private static List<Integer> refs(Request request) throws IOException {
    var refs = new ArrayList<Integer>();
    for (JsonNode key : JSON.readTree(request.body()).path("keys")) {
      refs.add(key.path("ref_key").asInt());
    }
    return refs;
  }
}
