package io.cellmesh.client;

import static io.cellmesh.client.Samples.ROW;
import static io.cellmesh.client.UnrulyWorker.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.CellKey;
import io.cellmesh.client.IndexQuery.Operator;
import io.cellmesh.client.UnrulyWorker.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a worker is sent. */
@Timeout(60)
class RequestsTest {
  private UnrulyWorker worker;
  private Session session;

  @BeforeEach
  void start() throws IOException {
    worker = UnrulyWorker.that(request -> Samples.found());
    session = Samples.client(worker.url()).session();
  }

  @AfterEach
  void stop() throws IOException {
    worker.close();
  }

  @Test
  void a_write_says_what_it_waits_for() throws Exception {
    worker.behave(request -> Samples.visible());
    session
        .waitingFor(Reached.SECURED)
        .within(Duration.ofSeconds(7))
        .withPriority(Priority.LOW)
        .put(Samples.trip());

    var request = worker.only();
    assertThat(request.method()).isEqualTo("PUT");
    assertThat(request.path()).isEqualTo("/v1/trips/cells/" + ROW + "/BASE/1");
    assertThat(request.parameter("wait")).contains("secured");
    assertThat(Integer.parseInt(request.parameter("deadline").orElseThrow())).isBetween(1, 6_900);
    assertThat(request.headers())
        .containsEntry("cellmesh-priority", "low")
        .containsEntry("content-type", "application/json");
    assertThat(request.text()).isEqualTo("{\"fare\":12.95}");
  }

  @Test
  void a_read_says_which_server_it_asks() throws Exception {
    session.readingFrom(ReadFrom.ANY).get(Samples.key());

    var request = worker.only();
    assertThat(request.method()).isEqualTo("GET");
    assertThat(request.path()).isEqualTo("/v1/trips/cells/" + ROW + "/BASE/1");
    assertThat(request.parameter("read")).contains("any");
    assertThat(request.parameter("not-before")).isEmpty();
    assertThat(request.headers()).containsEntry("cellmesh-priority", "normal");
  }

  @Test
  void the_latest_can_have_a_bound() throws Exception {
    session.latest(ROW, "BASE");
    session.get(Lookup.latest(ROW, "BASE", Long.MAX_VALUE));

    assertThat(worker.requests())
        .extracting(Request::path)
        .containsOnly("/v1/trips/cells/" + ROW + "/BASE");
    assertThat(worker.requests().get(0).parameter("at-most")).isEmpty();
    assertThat(worker.requests().get(1).parameter("at-most")).contains("9223372036854775807");
  }

  @Test
  void a_columns_name_is_encoded_to_the_byte() throws Exception {
    worker.behave(request -> Samples.found(Samples.json("Größe +1?&#😀", -5)));
    session.get(new CellKey(ROW, "Größe +1?&#😀", -5));

    assertThat(worker.only().path())
        .isEqualTo("/v1/trips/cells/" + ROW + "/Gr%C3%B6%C3%9Fe%20%2B1%3F%26%23%F0%9F%98%80/-5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b", "..", ".", "50%", "a\\b", "a;b", "a\nb"})
  void a_column_that_a_path_does_not_carry_goes_in_a_body(String column) throws Exception {
    var told = new ObjectMapper().writeValueAsString(column);
    worker.behave(
        request ->
            answer(
                200,
                request.path().endsWith(":put")
                    ? "{\"results\":[{\"status\":200,\"state\":\"visible\",\"position\":\"dc1:AbCdEfGh:3:17\"}]}"
                    : "{\"results\":[{\"status\":200,\"served_by\":\"s\",\"cells\":[%s]}]}"
                        .formatted(Samples.json("X", 1).replace("\"X\"", told))));

    assertThat(session.put(Samples.cell(column, 1)).isAtLeast(Reached.VISIBLE)).isTrue();
    assertThat(session.latest(ROW, column).cell()).isPresent();

    assertThat(worker.requests())
        .extracting(Request::path)
        .containsExactly("/v1/trips/cells:put", "/v1/trips/cells:get");
    var put = new ObjectMapper().readTree(worker.requests().get(0).body());
    assertThat(put.at("/cells/0/column_name").asText()).isEqualTo(column);
    assertThat(put.at("/cells/0/body/fare").asText()).isEqualTo("12.95");
    var get = new ObjectMapper().readTree(worker.requests().get(1).body());
    assertThat(get.at("/keys/0/column_name").asText()).isEqualTo(column);
    assertThat(get.at("/keys/0").size()).isEqualTo(2);
  }

  @Test
  void the_failure_of_such_a_column_is_that_of_any_other() throws Exception {
    worker.behave(
        request ->
            answer(
                200,
                "{\"results\":[{\"status\":400,\"problem\":{\"type\":\"about:blank\",\"title\":\"Invalid\","
                    + "\"status\":400,\"detail\":\"too long\",\"field\":\"column_name\"}}]}"));
    assertThatThrownBy(() -> session.put(Samples.cell("a/b", 1)))
        .isInstanceOf(CellmeshException.class)
        .hasMessage(ROW + "/a/b/1: 400 Invalid: too long");
  }

  @Test
  void a_lone_surrogate_is_refused_before_it_becomes_another_name() {
    assertThatThrownBy(() -> session.latest(ROW, "a\uD83D"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("column_name = \"a\\ud83d\": it has a lone surrogate");
    assertThat(worker.requests()).isEmpty();
  }

  @Test
  void a_question_to_an_index_carries_all_its_parts() throws Exception {
    worker.behave(request -> Samples.found("{\"entries\":[]}"));
    session
        .readingFrom(ReadFrom.MINION)
        .query(
            IndexQuery.of("trips_by_driver", "d 1&2")
                .where("fare", Operator.GE, "10")
                .where("city", Operator.IN, "Köln", "Ulm")
                .descending("fare")
                .ascending("city")
                .fields("fare", "city")
                .columns("BASE", "STATUS")
                .limit(20)
                .limit(30)
                .after("c1")
                .after("c2"));

    var request = worker.only();
    assertThat(request.path()).isEqualTo("/v1/trips/indexes/trips_by_driver");
    assertThat(request.parameters("shard_field")).containsExactly("d 1&2");
    assertThat(request.parameters("filter")).containsExactly("fare:ge:10", "city:in:Köln,Ulm");
    assertThat(request.parameters("order")).containsExactly("fare:desc", "city:asc");
    assertThat(request.parameters("fields")).containsExactly("fare,city");
    assertThat(request.parameters("columns")).containsExactly("BASE,STATUS");
    assertThat(request.parameters("limit")).containsExactly("30");
    assertThat(request.parameters("cursor")).containsExactly("c2");
    assertThat(request.parameters("read")).containsExactly("minion");
  }

  @Test
  void several_values_of_the_shard_field_are_asked_for_at_once() throws Exception {
    worker.behave(request -> Samples.found("{\"entries\":[]}"));
    session.query(IndexQuery.of("trips_by_driver", List.of("d1,d2", "d3")).limit(5));

    assertThat(worker.only().parameters("shard_field")).containsExactly("d1,d2", "d3");
  }

  @Test
  void a_question_that_could_not_be_told_is_refused() {
    var query = IndexQuery.of("trips_by_driver", "d1");
    assertThatThrownBy(() -> IndexQuery.of("trips_by_driver", List.of()))
        .hasMessage("shard_field: 0 values are not 1..50");
    assertThatThrownBy(() -> IndexQuery.of("trips_by_driver", Collections.nCopies(51, "d")))
        .hasMessage("shard_field: 51 values are not 1..50");
    assertThatThrownBy(() -> IndexQuery.of("../cells", "d1"))
        .hasMessage("index: \"../cells\" is not 1 to 48 of a-z, 0-9 and _");
    assertThatThrownBy(() -> query.where("city", Operator.IN, "a,b"))
        .hasMessage("filter = \"a,b\": one of several can't have a comma");
    assertThatThrownBy(() -> query.where("fare", Operator.BETWEEN, "1"))
        .hasMessage("filter of fare: between does not take 1 values");
    assertThatThrownBy(() -> query.limit(1001)).hasMessage("limit: 1001 is not in 1..1000");
  }

  @Test
  void each_request_bears_the_token_of_its_moment() throws Exception {
    var token = new AtomicInteger();
    var client =
        new CellmeshClient(
            Samples.settings(worker.url()).withToken(() -> "t" + token.incrementAndGet()));
    worker.behave(UnrulyWorker.inTurn(UnrulyWorker.problem(500, "oops"), Samples.found()));
    client.session().get(Samples.key());

    assertThat(worker.requests())
        .extracting(request -> request.headers().get("authorization"))
        .containsExactly("Bearer t1", "Bearer t2");
  }

  @Test
  void a_token_that_fails_fails_the_call() {
    var client =
        new CellmeshClient(
            Samples.settings(worker.url())
                .withToken(
                    () -> {
                      throw new IllegalStateException("no token");
                    }));
    assertThatThrownBy(() -> client.session().get(Samples.key())).hasMessage("no token");
    assertThat(worker.requests()).isEmpty();
  }

  @Test
  void a_token_that_fails_while_a_host_is_aside_fails_no_more_than_its_call() throws Exception {
    var fails = new AtomicBoolean();
    var asked = new AtomicInteger();
    var gone = UnrulyWorker.that(request -> UnrulyWorker.resets());
    try (gone) {
      var client =
          new CellmeshClient(
              Samples.settings(gone.url(), worker.url())
                  .withToken(
                      () -> {
                        asked.incrementAndGet();
                        if (fails.get()) {
                          throw new IllegalStateException("no token");
                        }
                        return "t";
                      }));
      client.session().get(Samples.key());
      client.session().get(Samples.key());
      fails.set(true);
      await()
          .atMost(Tries.PATIENCE)
          .until(
              () -> {
                asked.set(0);
                assertThatThrownBy(() -> client.session().async().get(Samples.key()).get())
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("no token");
                // For the call, and to ask the host that is aside.
                return asked.get() > 1;
              });
      fails.set(false);
      gone.behave(request -> Samples.found());
      await()
          .atMost(Tries.PATIENCE)
          .until(() -> client.session().get(Samples.key()) != null && gone.requests().size() > 2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3cret\n", "s3cret x", "s3cr\u00e9t", ""})
  void what_is_no_token_is_sent_to_nobody_and_shown_to_nobody(String token) {
    var client = new CellmeshClient(Samples.settings(worker.url()).withToken(() -> token));
    assertThatThrownBy(() -> client.session().get(Samples.key()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the token is empty, or has a blank")
        .hasMessageNotContaining("s3cr")
        .hasNoCause();
    assertThat(worker.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void a_missing_right_is_told_at_once_and_asked_of_no_other_host(int status) throws Exception {
    var other = UnrulyWorker.that(request -> UnrulyWorker.problem(status, "no right"));
    try (other) {
      worker.behave(request -> UnrulyWorker.problem(status, "no right"));
      var session =
          new CellmeshClient(Samples.settings(worker.url(), other.url()).withToken(() -> "s3cret"))
              .session();
      assertThatThrownBy(() -> session.get(Samples.key()))
          .isInstanceOf(CellmeshException.class)
          .hasMessageContaining("no right")
          .hasMessageNotContaining("s3cret");
      assertThat(worker.requests().size() + other.requests().size()).isEqualTo(1);
    }
  }

  @Test
  void a_redirection_takes_no_token_elsewhere() throws Exception {
    var thief = UnrulyWorker.that(request -> Samples.found());
    try (thief) {
      worker.behave(
          request -> UnrulyWorker.raw(307, "text/html", "", "Location: " + thief.url() + "/"));
      var settings = Samples.settings(worker.url()).withToken(() -> "s3cret");
      var once = new CellmeshClient(settings).session().within(Duration.ofMillis(300));
      assertThatThrownBy(() -> once.get(Samples.key())).isInstanceOf(CellmeshException.class);
      assertThatThrownBy(() -> once.put(Samples.trip())).isInstanceOf(CellmeshException.class);
      assertThat(thief.requests()).isEmpty();
    }
  }
}
