package io.cellmesh.worker.http;

import static io.cellmesh.worker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.cellmesh.cell.Body;
import io.cellmesh.worker.load.OverloadedException;
import io.cellmesh.worker.load.UnavailableException;
import io.cellmesh.worker.position.Outage;
import io.cellmesh.worker.position.Outcome;
import io.cellmesh.worker.position.WaitFor;
import io.cellmesh.worker.read.ReadFrom;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every route of openapi.yaml, good and bad input, without a server behind it. */
class ContractTest {
  private static final String ROW = "/v1/trips/cells/0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f01";
  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

  private static final FakeInstance instance = new FakeInstance();

  private static WorkerServer server;
  private static Http http;
  private static JsonNode contract;

  @BeforeAll
  static void start() throws IOException {
    contract = new YAMLMapper().readTree(ContractTest.class.getResourceAsStream("/openapi.yaml"));
    server =
        WorkerServer.start(
            new InetSocketAddress("127.0.0.1", 0),
            Map.of("trips", instance),
            new QueuedThreadPool(20),
            System::nanoTime);
    http = new Http(server.port());
  }

  @BeforeEach
  void reset() {
    instance.reset();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void every_route_of_the_contract_exists_and_no_other() {
    var routes = new ArrayList<String>();
    contract
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method -> {
                          if (METHODS.contains(method)) {
                            routes.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey());
                          }
                        }));

    assertThat(server.routes()).containsExactlyInAnyOrderElementsOf(routes);
  }

  @Test
  void every_parameter_of_the_contract_is_known_and_no_other() {
    contract
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        method -> {
                          if (METHODS.contains(method.getKey())
                              && path.getKey().startsWith("/v1/")) {
                            assertKnown(path.getKey(), method.getKey(), method.getValue());
                          }
                        }));
  }

  private static void assertKnown(String path, String method, JsonNode operation) {
    var names = new TreeSet<String>();
    for (var parameter : operation.path("parameters")) {
      var resolved = resolved(parameter);
      if (resolved.get("in").asText().equals("query")) {
        names.add(resolved.get("name").asText());
      }
    }
    var at =
        path.replace("{instance}", "trips")
            .replace("{row}", "0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f01")
            .replace("{column}", "BASE")
            .replace("{ref}", "1")
            .replace("{name}", "some_index");
    var answer =
        http.send(
            method.toUpperCase(Locale.ROOT), at + "?nobody=1", BodyPublishers.ofString("null"));
    assertProblem(answer, 400, "nobody");
    assertThat(Http.json(answer).get("rule").asText()).isEqualTo("unknown; known are " + names);
  }

  private static JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? contract.at(node.get("$ref").asText().substring(1)) : node;
  }

  @Test
  void a_cell_is_written_and_read_back_with_its_exact_numbers() {
    var body = "{\"fare\":12.50,\"big\":123456789012345678901234567890,\"name\":\"Zoë\"}";
    var put = http.put(ROW + "/BASE/1", body);

    assertThat(put.statusCode()).isEqualTo(200);
    assertThat(Http.json(put).get("state").asText()).isEqualTo("visible");
    var position = put.headers().firstValue("Cellmesh-Position").orElseThrow();
    assertThat(position).matches("dc1:abcdefgh:[01]:[0-9]+");
    assertThat(Http.json(put).get("position").asText()).isEqualTo(position);

    var get = http.get(ROW + "/BASE/1?not-before=" + position);
    assertThat(get.statusCode()).isEqualTo(200);
    assertThat(get.body()).contains("\"big\":123456789012345678901234567890", "Zoë");
    assertThat(get.headers().firstValue("Cellmesh-Served-By")).isPresent();
    assertThat(get.headers().firstValue("Cellmesh-Stale-Up-To")).isEmpty();
    conforms(get, "Cell");
  }

  @Test
  void the_latest_cell_and_the_row_are_read() {
    for (int ref : List.of(1, 5, 9)) {
      http.put(ROW + "/BASE/" + ref, Integer.toString(ref));
    }
    http.put(ROW + "/STATUS/-3", "\"paid\"");

    assertThat(Http.json(http.get(ROW + "/BASE")).get("ref_key").asInt()).isEqualTo(9);
    assertThat(Http.json(http.get(ROW + "/BASE?at-most=8")).get("ref_key").asInt()).isEqualTo(5);
    var row = http.get(ROW);
    assertThat(Http.json(row).get("cells")).hasSize(4);
    conforms(row, "Row");
  }

  @Test
  void what_is_not_there_is_404_with_the_server_that_says_so() {
    instance.staleUpTo = Optional.of("0.215");
    for (var path : List.of(ROW, ROW + "/BASE", ROW + "/BASE/1")) {
      var answer = http.get(path + "?read=minion");
      assertAbsent(answer, "no-such-cell");
      assertThat(answer.headers().firstValue("Cellmesh-Served-By")).isPresent();
      assertThat(answer.headers().firstValue("Cellmesh-Stale-Up-To")).contains("0.215");
    }
    assertProblem(http.get("/v1/trips"), 404, null);
    assertProblem(http.send("DELETE", ROW, BodyPublishers.noBody()), 405, null);
  }

  @Test
  void an_instance_that_is_not_served_is_404_of_another_type_and_names_no_server() {
    var other = ROW.replace("trips", "nobody");
    for (var answer :
        List.of(
            http.get(other),
            http.get(other + "/BASE"),
            http.get(other + "/BASE/1"),
            http.put(other + "/BASE/1", "1"),
            http.post("/v1/nobody/cells:get", "{}"),
            http.post("/v1/nobody/cells:put", "{}"),
            http.get("/v1/nobody/indexes/some_index?shard_field=a"))) {
      assertAbsent(answer, "no-such-instance");
      assertThat(answer.headers().firstValue("Cellmesh-Served-By")).isEmpty();
    }
  }

  private static void assertAbsent(HttpResponse<String> answer, String type) {
    assertProblem(answer, 404, null);
    assertThat(Http.json(answer).get("type").asText()).isEqualTo("urn:cellmesh:problem:" + type);
  }

  @Test
  void each_state_of_a_write_has_its_status() {
    assertState("wait=accepted", 202, "accepted");
    assertState("wait=secured", 202, "secured");
    assertState("wait=visible", 200, "visible");
    assertState("wait=replicated", 200, "replicated");

    var outage = new Outage("c1", "a:1", Instant.EPOCH);
    instance.outcome = Optional.of(new Outcome.Buffered(outage));
    var buffered = assertState("wait=visible", 202, "buffered");
    assertThat(buffered.get("down").get("master").asText()).isEqualTo("a:1");
    assertThat(buffered.get("down").get("since").asText()).isEqualTo("1970-01-01T00:00:00.000000Z");

    instance.outcome = Optional.of(new Outcome.Late(WaitFor.SECURED, Optional.of(outage)));
    assertThat(assertState("deadline=1", 202, "secured").has("down")).isTrue();
  }

  private static JsonNode assertState(String query, int status, String state) {
    var put = http.put(ROW + "/BASE/1?" + query, "1");
    assertThat(put.statusCode()).as(query).isEqualTo(status);
    assertThat(put.headers().firstValue("Cellmesh-Position")).isPresent();
    conforms(put, "Write");
    var json = Http.json(put);
    assertThat(json.get("state").asText()).isEqualTo(state);
    return json;
  }

  @Test
  void a_conflict_is_409_with_both_digests_and_a_rejection_422_with_its_position() {
    http.put(ROW + "/BASE/1", "1");
    var conflict = http.put(ROW + "/BASE/1", "2");
    assertProblem(conflict, 409, "body");
    conforms(conflict, "Conflict");
    var json = Http.json(conflict);
    assertThat(json.get("kept").asText()).hasSize(64).isNotEqualTo(json.get("refused").asText());
    assertThat(json.get("final").asBoolean()).isTrue();
    assertThat(conflict.headers().firstValue("Cellmesh-Position")).isPresent();

    instance.outcome = Optional.of(new Outcome.Rejected(Optional.of("body: no")));
    var rejected = http.put(ROW + "/BASE/2", "1");
    assertProblem(rejected, 422, null);
    assertThat(Http.json(rejected).has("position")).isTrue();
    assertThat(Http.json(rejected).get("detail").asText()).isEqualTo("body: no");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "/v1/trips/cells/NO/BASE/1|1|row_key",
        "/v1/trips/cells/0B5E2A64-6F3C-4F0E-9A53-6F1F3A0F6F01/BASE/1|1|row_key",
        "@/BASE/1.5|1|ref_key",
        "@/BASE/9223372036854775808|1|ref_key",
        "@/BASE/x|1|ref_key",
        "@/BASE/1|{|record",
        "@/BASE/1||body",
        "@/BASE/1|1 2|body",
        "@/BASE/1|{~a~:1,~a~:2}|body",
        "@/BASE/1?wait=soon|1|wait",
        "@/BASE/1?wait=visible&wait=visible|1|wait",
        "@/BASE/1?deadline=0|1|deadline",
        "@/BASE/1?deadline=60001|1|deadline",
        "@/BASE/1?deadline=x|1|deadline",
        "@/BASE/1?waits=visible|1|waits",
      })
  void a_write_that_breaks_a_rule_is_400_and_reaches_nobody(
      String path, String body, String field) {
    var answer = http.put(path.replace("@", ROW), body == null ? "" : body.replace('~', '"'));

    assertProblem(answer, 400, field);
    assertThat(Http.json(http.get(ROW)).get("status").asInt()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "@?read=slave|read",
        "@?not-before=|not-before",
        "@?not-before=dc1:abcdefgh:0|not-before",
        "@?not-before=dc2:abcdefgh:0:1|not-before",
        "@?not-before=dc1:abcdefgx:0:1|not-before",
        "@?not-before=dc1:abcdefgh:2:1|not-before",
        "@/BASE?at-most=1.0|at-most",
        "@/BASE/1?at-most=1|at-most",
        "/v1/trips/cells/none|row_key",
        "/v1/trips/indexes/some_index|shard_field",
        "/v1/trips/indexes/some_index?shard_field=a&filter=x|filter",
        "/v1/trips/indexes/some_index?shard_field=a&filter=f:like:x|filter",
        "/v1/trips/indexes/some_index?shard_field=a&order=f|order",
        "/v1/trips/indexes/some_index?shard_field=a&limit=0|limit",
        "/v1/trips/indexes/some_index?shard_field=a&limit=1001|limit",
        "/v1/trips/indexes/some_index?shard_field=a&filter=f:between:1|query",
      })
  void a_read_that_breaks_a_rule_is_400(String path, String field) {
    assertProblem(http.get(path.replace("@", ROW)), 400, field);
  }

  @Test
  void a_priority_is_one_of_three() {
    assertProblem(http.get(ROW, "Cellmesh-Priority", "highest"), 400, "Cellmesh-Priority");
    http.get(ROW, "Cellmesh-Priority", "low");
    assertThat(instance.terms.get(0).priority()).hasToString("LOW");
  }

  @Test
  void the_highest_offset_of_each_partition_is_what_a_server_must_have_passed() {
    http.get(ROW + "?read=any&not-before=dc1:abcdefgh:0:5,dc1:abcdefgh:1:7,dc1:abcdefgh:0:3");

    assertThat(instance.terms.get(0).notBefore()).isEqualTo(Map.of(0, 5L, 1, 7L));
    assertThat(instance.terms.get(0).from()).isEqualTo(ReadFrom.ANY);
  }

  @Test
  void no_value_and_no_body_is_repeated_in_full_nor_shown_as_it_is() {
    var secret = "s".repeat(400);
    var answer = http.put(ROW + "/BASE/1", "{\"password\":\"" + secret + "\",}");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).doesNotContain("password", "ssss");

    var tooLong = http.get("/v1/trips/cells/" + secret);
    assertThat(Http.json(tooLong).get("detail").asText()).hasSizeLessThan(120);
    assertThat(http.get("/v1/trips/cells/%1b%5b2J").body()).doesNotContain("\u001b");
  }

  @Test
  void many_are_written_over_all_shards_and_each_has_its_own_result() {
    instance.put(key(1), "1");
    var results =
        Http.json(
                http.post(
                    "/v1/trips/cells:put",
                    "{\"cells\":[%s,%s]}"
                        .formatted(cell(key(1), "2"), cell(key(2), "{\"a\":1.0}"))))
            .get("results");

    results.forEach(result -> conforms(result, "Write"));
    assertThat(results.get(0).get("status").asInt()).isEqualTo(409);
    assertThat(results.get(0).get("problem").get("kept").asText()).hasSize(64);
    assertThat(results.get(1).get("status").asInt()).isEqualTo(200);
    assertThat(results.get(1).get("state").asText()).isEqualTo("visible");
    assertThat(http.get("/v1/trips/cells/" + key(2)).body()).contains("{\"a\":1.0}");
  }

  @Test
  void of_many_that_are_read_those_of_a_dead_cluster_fail_alone() {
    var keys = new ArrayList<String>();
    int inTwo = 0;
    for (int i = 0; i < 20; i++) {
      instance.put(key(i), Integer.toString(i));
      keys.add("{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1}".formatted(key(i)));
      inTwo += instance.clusterOf(UUID.fromString(key(i))).equals("c2") ? 1 : 0;
    }
    assertThat(inTwo).isBetween(1, 19);
    instance.down = "c2";

    var answer = http.post("/v1/trips/cells:get", "{\"keys\":%s}".formatted(keys));

    assertThat(answer.statusCode()).isEqualTo(200);
    int failed = 0;
    for (int i = 0; i < 20; i++) {
      var result = Http.json(answer).get("results").get(i);
      conforms(result, "Read");
      if (result.get("status").asInt() == 503) {
        failed++;
        assertThat(result.get("problem").get("detail").asText()).contains("c2");
      } else {
        assertThat(result.get("cells").get(0).get("body").asInt()).isEqualTo(i);
      }
    }
    assertThat(failed).isEqualTo(inTwo);
  }

  @Test
  void rows_latest_cells_and_what_is_absent_are_read_together() {
    instance.put(key(1), "1");
    var answer =
        http.post(
            "/v1/trips/cells:get",
            """
            {"keys":[{"row_key":"%1$s"},{"row_key":"%1$s","column_name":"BASE"},
             {"row_key":"%1$s","column_name":"BASE","at_most":0},
             {"row_key":"%2$s"}]}"""
                .formatted(key(1), key(2)));

    var results = Http.json(answer).get("results");
    assertThat(results)
        .extracting(result -> result.get("status").asInt())
        .containsExactly(200, 200, 404, 404);
    results.forEach(result -> conforms(result, "Read"));
    assertThat(results).as("a server looked").allMatch(result -> result.has("served_by"));
    assertThat(results.get(2).at("/problem/type").asText())
        .isEqualTo("urn:cellmesh:problem:no-such-cell");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "get|nothing|body",
        "get|[]|body",
        "get|{~keys~:1}|body",
        "get|{~keys~:[]}|keys",
        "get|{~keys~:[1]}|keys[0]",
        "get|{~keys~:[{}]}|keys[0].row_key",
        "get|{~keys~:[{~row_key~:~x~}]}|keys[0].row_key",
        "get|{~keys~:[{~row_key~:~@~,~ref_key~:1}]}|keys[0].ref_key",
        "get|{~keys~:[{~row_key~:~@~,~column_name~:~~}]}|keys[0].column_name",
        "get|{~keys~:[{~row_key~:~@~,~column_name~:~B~,~ref_key~:1.5}]}|keys[0].ref_key",
        "get|{~keys~:[{~row_key~:~@~,~column~:~B~}]}|keys[0].column",
        "get|{~keys~:[{~row_key~:~@~}],~more~:1}|body",
        "put|{~cells~:[{~row_key~:~@~,~column_name~:~B~,~ref_key~:1}]}|cells[0].body",
        "put|{~cells~:[{~row_key~:~@~,~column_name~:~B~,~ref_key~:1,~body~:1,~origin~:~dc2~}]}|cells[0].origin",
        "put|{~cells~:[{~column_name~:~B~,~ref_key~:1,~body~:1}]}|cells[0].row_key",
        "put|{~cells~:[{~row_key~:{},~column_name~:~B~,~ref_key~:1,~body~:1}]}|cells[0].row_key",
        "put|{~cells~:[|body",
      })
  void a_batch_that_breaks_a_rule_is_400_and_names_the_element(
      String what, String body, String field) {
    var answer = http.post("/v1/trips/cells:" + what, body.replace('~', '"').replace("@", key(1)));

    assertProblem(answer, 400, field);
  }

  @Test
  void more_than_five_hundred_at_once_are_refused_and_so_is_what_is_too_large() {
    var keys = new ArrayList<String>();
    for (int i = 0; i < 501; i++) {
      keys.add("{\"row_key\":\"%s\"}".formatted(key(1)));
    }
    assertProblem(http.post("/v1/trips/cells:get", "{\"keys\":" + keys + "}"), 400, "keys");
    assertProblem(http.put(ROW + "/BASE/1", " ".repeat(3 << 20) + "1"), 413, null);
    assertProblem(http.post("/v1/trips/cells:put", " ".repeat(9 << 20)), 413, null);
    assertProblem(http.put(ROW + "/BASE/1", "\"" + "x".repeat(3 << 19) + "\""), 400, "body");
  }

  @Test
  void bytes_that_are_no_utf8_are_refused() {
    var bytes = new byte[] {'"', (byte) 0xff, '"'};
    assertProblem(
        http.send("PUT", ROW + "/BASE/1", BodyPublishers.ofByteArray(bytes)), 400, "body");
    assertProblem(
        http.send("POST", "/v1/trips/cells:put", BodyPublishers.ofByteArray(bytes)), 400, "body");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
  void a_batch_in_another_encoding_that_says_no_such_thing_is_refused(String charset) {
    var cell =
        "{\"row_key\":\"%s\",\"column_name\":\"B\",\"ref_key\":1,\"body\":1}".formatted(key(1));
    for (var batch :
        Map.of("cells:put", "{\"cells\":[" + cell + "]}", "cells:get", "{\"keys\":[" + cell + "]}")
            .entrySet()) {
      var bytes = batch.getValue().getBytes(Charset.forName(charset));
      assertProblem(
          http.send("POST", "/v1/trips/" + batch.getKey(), BodyPublishers.ofByteArray(bytes)),
          400,
          "body");
    }
  }

  @Test
  void a_page_of_an_index_is_asked_for_as_the_parameters_say() {
    var answer =
        http.get(
            "/v1/trips/indexes/some_index?shard_field=d1&shard_field=d2&filter=city:eq:a:b&filter=fare:in:1,2"
                + "&order=fare:desc&fields=fare,city&columns=BASE,STATUS&limit=20&cursor=abc");

    assertThat(answer.statusCode()).isEqualTo(200);
    conforms(answer, "Page");
    assertThat(answer.headers().firstValue("Cellmesh-Served-By"))
        .contains("c1/master/a:1, c2/minion/b:1");
    assertThat(answer.headers().firstValue("Cellmesh-Stale-Up-To")).contains("unknown");
    assertThat(Http.json(answer).get("next").asText()).isEqualTo("next");
    var query = instance.queries.get(0);
    assertThat(query.shardValues()).containsExactly("d1", "d2");
    assertThat(query.conditions())
        .extracting(c -> c.values())
        .containsExactly(List.of("a:b"), List.of("1", "2"));
    assertThat(query.order().get(0).descending()).isTrue();
    assertThat(query.select()).containsExactly("fare", "city");
    assertThat(query.columns().orElseThrow().names()).containsExactly("BASE", "STATUS");
    assertThat(query.limit()).hasValue(20);
    assertThat(query.after()).contains("abc");
  }

  @Test
  void a_page_is_asked_for_with_up_to_fifty_values_of_the_shard_field() {
    var path = "/v1/trips/indexes/some_index?limit=1" + "&shard_field=a".repeat(50);
    assertThat(http.get(path).statusCode()).isEqualTo(200);
    assertProblem(http.get(path + "&shard_field=a"), 400, "shard_field");
    var most = contract.at("/paths/~1v1~1{instance}~1indexes~1{name}/get/parameters/0/schema");
    assertThat(most.get("maxItems").asInt()).isEqualTo(50);
  }

  @Test
  void overload_is_429_and_silence_503_both_with_a_time_to_come_again() {
    instance.failure = Optional.of(new OverloadedException("c1"));
    for (var answer : allRoutes()) {
      assertProblem(answer, 429, null);
      assertThat(answer.headers().firstValue("Retry-After")).contains("1");
    }
    instance.failure = Optional.of(new UnavailableException("c1 is away"));
    for (var answer : allRoutes()) {
      assertProblem(answer, 503, null);
      assertThat(answer.headers().firstValue("Retry-After")).contains("1");
    }
  }

  @Test
  void a_defect_is_500_and_tells_nothing_of_itself() {
    instance.failure = Optional.of(new IllegalStateException("the password is xyzzy"));
    for (var answer : allRoutes()) {
      assertProblem(answer, 500, null);
      assertThat(answer.body()).doesNotContain("xyzzy", "Exception", "io.cellmesh");
    }
  }

  private static List<HttpResponse<String>> allRoutes() {
    return List.of(
        http.get(ROW),
        http.get(ROW + "/BASE"),
        http.get(ROW + "/BASE/1"),
        http.put(ROW + "/BASE/1", "1"),
        http.get("/v1/trips/indexes/some_index?shard_field=a"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/trips/cells/%zz HTTP/1.1",
        "GET /v1/trips/cells/%ff%fe/BASE HTTP/1.1",
        "GET /v1/trips/cells/..%2f..%2fetc HTTP/1.1",
        "GET /v1/trips/cells/%2e%2e/x HTTP/1.1",
        "GET //v1//trips HTTP/1.1",
        "BREW /v1/trips/cells/x HTTP/1.1",
        "GET /v1/trips/cells/x?%zz=1 HTTP/1.1",
        "GET /v1/trips/cells/x?read=%ff HTTP/1.1",
        "GET /v1/trips/cells/x HTTP/9.9",
        "nonsense",
      })
  void what_is_hardly_http_is_refused_in_the_same_form(String line) throws IOException {
    try (var socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(
              (line + "\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.UTF_8));
      var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).matches("(?s)HTTP/1.1 (4..|505) .*");
      assertThat(answer).contains("application/problem+json").doesNotContain("Jetty", "<html");
    }
  }

  @Test
  void the_worker_says_how_it_is_and_what_it_can_do() throws IOException {
    assertThat(http.get("/healthz").statusCode()).isEqualTo(200);
    assertThat(http.get("/readyz").statusCode()).isEqualTo(200);
    instance.trouble = Optional.of("Kafka does not answer");
    assertThat(http.get("/healthz").statusCode()).isEqualTo(200);
    var notReady = http.get("/readyz");
    assertThat(notReady.statusCode()).isEqualTo(503);
    assertThat(notReady.body()).contains("Kafka does not answer");

    http.get(ROW);
    http.put(ROW + "/BASE/1?wait=accepted", "1");
    var metrics = http.get("/metrics").body();
    assertThat(metrics)
        .contains("cellmesh_worker_waits_total{outcome=\"accepted\"} 1")
        .doesNotContain("outcome=\"late\"")
        .contains(
            "cellmesh_worker_requests_total{route=\"GET /v1/{instance}/cells/{row}\",status=\"404\"}")
        .contains(
            "cellmesh_worker_request_seconds_bucket{route=\"GET /v1/{instance}/cells/{row}\",le=")
        .contains("cellmesh_worker_ready{cellmesh_instance=\"trips\"} 0")
        .contains("cellmesh_worker_hedges_total{cellmesh_instance=\"trips\",outcome=\"won\"} 2")
        .contains("cellmesh_worker_server_healthy{cellmesh_instance=\"trips\",server=\"b:1\"} 0");
    assertThat(http.get("/openapi.yaml").body())
        .isEqualTo(
            new String(
                ContractTest.class.getResourceAsStream("/openapi.yaml").readAllBytes(),
                StandardCharsets.UTF_8));
  }

  @Test
  void a_damaged_cell_fails_alone_and_leaves_no_batch_unanswered() throws Exception {
    instance.put(key(1), Body.ofStored(new byte[] {0}));
    instance.put(key(2), "2");
    var keys = "{\"keys\":[{\"row_key\":\"%s\"},{\"row_key\":\"%s\"}]}".formatted(key(1), key(2));

    var call = CompletableFuture.supplyAsync(() -> http.post("/v1/trips/cells:get", keys));
    var results = Http.json(call.get(20, TimeUnit.SECONDS)).get("results");
    assertThat(results.get(0).get("status").asInt()).isEqualTo(500);
    assertThat(results.get(1).get("status").asInt()).isEqualTo(200);
  }

  @Test
  void a_batch_for_which_memory_is_short_is_answered_all_the_same() throws Exception {
    instance.huge = true;
    var keys = "{\"keys\":[{\"row_key\":\"%s\"}]}".formatted(key(1));

    var call = CompletableFuture.supplyAsync(() -> http.post("/v1/trips/cells:get", keys));
    assertThat(call.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(500);
  }

  @Test
  void a_client_that_goes_away_while_it_is_answered_is_forgotten() throws Exception {
    var keys = new ArrayList<String>();
    for (int i = 0; i < 20; i++) {
      // More than the kernel takes of an answer that nobody reads.
      instance.put(key(i), "\"%s\"".formatted("x".repeat(900_000)));
      keys.add("{\"row_key\":\"%s\"}".formatted(key(i)));
    }
    var body = "{\"keys\":[%s]}".formatted(String.join(",", keys));
    var request =
        "POST /v1/trips/cells:get HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(body.length(), body);
    try (var socket = new Socket("127.0.0.1", server.port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      socket.setSoLinger(true, 0);
    }

    await().until(() -> http.get("/metrics").body().contains("in_flight 1"));
  }

  @Test
  void a_client_that_goes_away_is_forgotten_when_its_call_is_done() throws Exception {
    instance.held = new CompletableFuture<>();
    var request = "PUT %s/BASE/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n1";
    try (var socket = new Socket("127.0.0.1", server.port())) {
      socket.getOutputStream().write(request.formatted(ROW).getBytes(StandardCharsets.UTF_8));
      await().until(() -> http.get("/metrics").body().contains("in_flight 2"));
      socket.setSoLinger(true, 0);
    }
    instance.held.complete(null);

    await().until(() -> http.get("/metrics").body().contains("in_flight 1"));
  }

  @Test
  void a_worker_that_ends_lets_those_who_wait_go_on_and_takes_no_others() throws Exception {
    var own = new FakeInstance();
    own.held = new CompletableFuture<>();
    var ending =
        WorkerServer.start(
            new InetSocketAddress("127.0.0.1", 0),
            Map.of("trips", own),
            new QueuedThreadPool(20),
            System::nanoTime);
    var client = new Http(ending.port());
    var waiting = client.putLater(ROW + "/BASE/1", "1");
    await().until(() -> client.get("/metrics").body().contains("in_flight 2"));

    var closed = CompletableFuture.runAsync(ending::close);
    await().until(() -> client.get("/readyz").statusCode() == 503);
    var refused = client.get(ROW);
    assertProblem(refused, 503, null);
    // Another worker may be asked at once.
    assertThat(refused.headers().firstValue("Retry-After")).contains("0");
    assertThat(closed).isNotDone();
    own.held.complete(null);

    assertThat(waiting.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    closed.get(20, TimeUnit.SECONDS);
  }

  @Test
  void what_is_told_when_the_time_to_end_has_come_still_gets_through() throws Exception {
    var own = new FakeInstance();
    own.held = new CompletableFuture<>();
    var later = new AtomicLong();
    var ending =
        WorkerServer.start(
            new InetSocketAddress("127.0.0.1", 0),
            Map.of("trips", own),
            new QueuedThreadPool(20),
            () -> System.nanoTime() + later.get());
    var client = new Http(ending.port());
    var waiting = client.putLater(ROW + "/BASE/1", "1");
    await().until(() -> client.get("/metrics").body().contains("in_flight 2"));

    var drained = CompletableFuture.runAsync(ending::drain);
    await().until(() -> client.get("/readyz").statusCode() == 503);
    later.set(Duration.ofMinutes(1).toNanos());
    drained.get(30, TimeUnit.SECONDS);
    assertThat(waiting).isNotDone();
    var closed = CompletableFuture.runAsync(ending::close);
    own.held.complete(null);

    assertThat(waiting.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    closed.get(20, TimeUnit.SECONDS);
  }

  private static void assertProblem(HttpResponse<String> answer, int status, String field) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/problem+json");
    conforms(answer, "Problem");
    var json = Http.json(answer);
    assertThat(json.get("status").asInt()).isEqualTo(status);
    if (field != null) {
      assertThat(json.get("field").asText()).as(answer.body()).isEqualTo(field);
      assertThat(json.get("rule").asText()).isNotEmpty();
    }
  }

  private static void conforms(HttpResponse<String> answer, String schema) {
    conforms(Http.json(answer), schema);
  }

  private static void conforms(JsonNode json, String schema) {
    var rules = contract.at("/components/schemas/" + schema);
    assertThat(SchemaCheck.of(contract, rules, json)).as("%s of %s", schema, json).isEmpty();
  }

  private static String key(int number) {
    return "00000000-0000-0000-0000-%012d".formatted(number);
  }

  private static String cell(String row, String body) {
    return "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1,\"body\":%s}"
        .formatted(row, body);
  }
}
