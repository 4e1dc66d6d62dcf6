package io.cellmesh.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The routes of the state and of the page, without a server behind them. */
class StatusRoutesTest {
  private static final String ROW = "0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f01";

  private static WorkerServer server;
  private static Http http;
  private static JsonNode schemas;

  @BeforeAll
  static void start() throws IOException {
    schemas =
        new YAMLMapper()
            .readTree(StatusRoutesTest.class.getResourceAsStream("/openapi.yaml"))
            .at("/components/schemas");
    server =
        WorkerServer.start(
            new InetSocketAddress("127.0.0.1", 0),
            Map.of("trips", new FakeInstance()),
            new QueuedThreadPool(20),
            System::nanoTime);
    http = new Http(server.port());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "'', Status",
    "/shards, StatusOfShards",
    "/indexes, StatusOfIndexes",
    "/refused, Refused",
    "/triggers, StatusOfTriggers",
    "/buffers, StatusOfBuffers",
  })
  void what_was_seen_is_told_as_the_contract_has_it_and_only_once(String path, String schema) {
    var first = http.get("/v1/trips/status" + path);
    assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
    conforms(Http.json(first), schema);
    Http.json(first).elements().forEachRemaining(StatusRoutesTest::looked);

    var tag = first.headers().firstValue("ETag").orElseThrow();
    var again = http.get("/v1/trips/status" + path, "If-None-Match", tag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(http.get("/v1/trips/status" + path, "If-None-Match", "\"x\"").statusCode())
        .isEqualTo(200);
    assertThat(http.get("/v1/nobody/status" + path).statusCode()).isEqualTo(404);
  }

  @Test
  void an_alarm_says_what_since_when_and_which_command_is_next() {
    var alarm = Http.json(http.get("/v1/trips/status")).at("/alarms/0");
    conforms(alarm, "Alarm");
    assertThat(alarm.get("level").asText()).isEqualTo("down");
    assertThat(alarm.get("since").asText()).isEqualTo("2026-01-31T12:00:00.000000Z");
    assertThat(alarm.at("/commands/0").asText()).isEqualTo("cellmesh status");
  }

  @Test
  void a_row_is_told_with_its_position_and_no_number_becomes_another() {
    var path = "/v1/trips/status/rows/" + ROW;
    var answer = http.get(path + "?position=dc1:abcdefgh:1:42");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    var row = Http.json(answer);
    conforms(row, "History");
    assertThat(row.get("position").asText()).isEqualTo("dc1:abcdefgh:1:42");
    assertThat(row.at("/cells/0/ref").asText()).isEqualTo("9223372036854775807");
    assertThat(row.at("/cells/0/body").asText()).contains("123456789012345678901234567890");
    assertThat(Http.json(http.get(path)).get("position").isNull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"?position=nonsense", "?position=dc2:abcdefgh:0:1", "?position=dc1:abcdefgh:9:1"})
  void a_position_that_is_none_is_refused_by_its_name(String query) {
    var answer = http.get("/v1/trips/status/rows/" + ROW + query);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(Http.json(answer).get("field").asText()).isEqualTo("position");
  }

  @Test
  void the_page_may_run_and_fetch_nothing_but_what_the_worker_serves() {
    for (var path : List.of("/ui", "/ui/start.js", "/ui/page.js", "/ui/page.css", "/ui/icon.svg")) {
      var answer = http.get(path);
      assertThat(answer.statusCode()).as(path).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
          .startsWith("default-src 'self';")
          .doesNotContain("unsafe", "*", "http:", "https:", "data:");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }
    assertThat(http.get("/ui").headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/html");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nothing.js",
        "..%2fopenapi.yaml",
        "%2e%2e",
        "page",
        "page.class",
        "PAGE.JS",
        "logback.xml"
      })
  void what_the_page_has_not_is_absent(String name) {
    assertThat(http.get("/ui/" + name).statusCode()).isBetween(400, 404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "api",
        "buffers",
        "dom",
        "indexes",
        "overview",
        "page",
        "parts",
        "refused",
        "row",
        "shards",
        "start",
        "text",
        "triggers"
      })
  void no_module_of_the_page_makes_html_of_a_text_or_reaches_elsewhere(String name)
      throws IOException {
    var module =
        new String(
            StatusRoutesTest.class.getResourceAsStream("/ui/" + name + ".js").readAllBytes(),
            StandardCharsets.UTF_8);
    assertThat(module)
        .doesNotContain(
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "eval(")
        .doesNotContain("https:");
    var changes = Pattern.compile("method:|'(PUT|POST|DELETE|PATCH)'").matcher(module);
    assertThat(changes.find()).as("the page changes nothing").isFalse();
  }

  private static void conforms(JsonNode json, String schema) {
    var rules = schemas.get(schema);
    rules.get("required").forEach(name -> assertThat(json.has(name.asText())).isTrue());
    json.fieldNames()
        .forEachRemaining(
            name -> assertThat(rules.get("properties").has(name)).as("%s", name).isTrue());
  }

  private static void looked(JsonNode json) {
    if (json.has("failing_since")) {
      conforms(json, "Looked");
      assertThat(json.get("value").isNull()).isEqualTo(json.get("at").isNull());
    }
  }
}
