package io.cellmesh.worker.http;

import static io.cellmesh.worker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.cellmesh.worker.security.Limits;
import io.cellmesh.worker.security.NewToken;
import io.cellmesh.worker.security.Protection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker with tokens. */
class SecuredWorkerTest {
  private static final String ROW = "/v1/trips/cells/0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f01";
  private static final NewToken READER = NewToken.draw("reader", List.of("trips:read"));
  private static final NewToken WRITER = NewToken.draw("writer", List.of("trips:write"));
  private static final NewToken SEEKER = NewToken.draw("seeker", List.of("trips:indexes"));
  private static final NewToken WATCHER = NewToken.draw("watcher", List.of("trips:status"));
  private static final NewToken STRANGER =
      NewToken.draw("stranger", List.of("users:read,write,indexes,status"));
  private static final NewToken ALL = NewToken.draw("all", List.of("*:read,write,indexes,status"));

  @TempDir private Path dir;
  private final FakeInstance instance = new FakeInstance();
  private Path file;
  private WorkerServer server;
  private Http http;

  @BeforeEach
  void start() throws IOException {
    file = dir.resolve("tokens.yaml");
    write(READER, WRITER, SEEKER, WATCHER, STRANGER, ALL);
    server =
        WorkerServer.start(
            new InetSocketAddress("127.0.0.1", 0),
            new Protection(Optional.of(file), Optional.empty(), true, Limits.USUAL),
            Map.of("trips", instance, "vaults", new FakeInstance()),
            new QueuedThreadPool(20),
            System::nanoTime);
    http = new Http(server.port());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void write(NewToken... tokens) throws IOException {
    var text = new StringBuilder("tokens:\n");
    for (var token : tokens) {
      text.append(token.entry()).append('\n');
    }
    Files.writeString(file, text);
  }

  /** Every call that needs a right, with a token or none. */
  private List<HttpResponse<String>> calls(String instance, NewToken token) {
    var headers =
        token == null ? new String[0] : new String[] {"Authorization", "Bearer " + token.token()};
    var row = ROW.replace("trips", instance);
    return List.of(
        http.get(row, headers),
        http.get(row + "/BASE", headers),
        http.get(row + "/BASE/1", headers),
        http.post(
            "/v1/%s/cells:get".formatted(instance),
            "{\"keys\":[{\"row_key\":\"0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f01\"}]}",
            headers),
        http.put(row + "/BASE/1", "1", headers),
        http.post(
            "/v1/%s/cells:put".formatted(instance),
            "{\"cells\":[{\"row_key\":\"0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f01\",\"column_name\":\"B\",\"ref_key\":1,\"body\":1}]}",
            headers),
        http.get("/v1/%s/indexes/some_index?shard_field=a".formatted(instance), headers),
        http.get("/v1/%s/indexes/some_index?shard_field=a&columns=*".formatted(instance), headers),
        http.get("/metrics", headers));
  }

  private static List<Integer> statuses(List<HttpResponse<String>> answers) {
    return answers.stream().map(HttpResponse::statusCode).toList();
  }

  @Test
  void each_right_opens_its_own_calls_and_no_other() {
    assertThat(statuses(calls("trips", READER)))
        .containsExactly(404, 404, 404, 200, 403, 403, 403, 403, 403);
    assertThat(instance.queries).isEmpty();
    assertThat(statuses(calls("trips", SEEKER)))
        .containsExactly(403, 403, 403, 403, 403, 403, 200, 403, 403);
    assertThat(statuses(calls("trips", WATCHER)))
        .containsExactly(403, 403, 403, 403, 403, 403, 403, 403, 200);
    assertThat(statuses(calls("trips", WRITER)))
        .containsExactly(403, 403, 403, 403, 200, 200, 403, 403, 403);
    assertThat(statuses(calls("trips", ALL)))
        .containsExactly(200, 200, 200, 200, 200, 200, 200, 200, 200);
  }

  @Test
  void the_contract_names_the_right_of_each_call_and_that_right_alone_opens_it()
      throws IOException {
    var contract =
        new YAMLMapper().readTree(SecuredWorkerTest.class.getResourceAsStream("/openapi.yaml"));
    var tokens =
        Map.of("read", READER, "write", WRITER, "indexes", SEEKER, "status", WATCHER, "", ALL);
    for (var path : contract.get("paths").properties()) {
      for (var operation : path.getValue().properties()) {
        if (operation.getKey().equals("parameters")) {
          continue;
        }
        var right = operation.getValue().path("x-right").asText();
        var name = operation.getKey() + " " + path.getKey();
        assertThat(operation.getValue().has("security")).as(name).isEqualTo(right.isEmpty());
        assertThat(status(operation.getKey(), path.getKey()))
            .as(name)
            .isEqualTo(right.isEmpty() ? 200 : 401);
        tokens.forEach(
            (had, token) -> {
              int status = status(operation.getKey(), path.getKey(), bearer(token));
              boolean opens = right.isEmpty() || had.isEmpty() || had.equals(right);
              assertThat(status == 403).as("%s with %s: %d", name, had, status).isNotEqualTo(opens);
            });
      }
    }
  }

  private int status(String method, String path, String... headers) {
    var at =
        path.replace("{instance}", "trips")
            .replace("{row}", "0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f01")
            .replace("{column}", "BASE")
            .replace("{ref}", "1")
            .replace("{name}", "some_index")
            .replace("{file}", "page.js");
    return http.send(method.toUpperCase(Locale.ROOT), at, BodyPublishers.ofString("null"), headers)
        .statusCode();
  }

  @Test
  void who_has_no_token_or_an_unknown_one_gets_401_and_a_challenge_and_does_nothing() {
    for (var answer : calls("trips", null)) {
      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(answer.headers().firstValue("WWW-Authenticate"))
          .contains("Bearer realm=\"cellmesh\"");
      assertThat(Http.json(answer).get("type").asText()).isEqualTo("urn:cellmesh:problem:no-token");
    }
    var unknown = NewToken.draw("reader", List.of("trips:read"));
    for (var answer : calls("trips", unknown)) {
      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(answer.headers().firstValue("WWW-Authenticate"))
          .contains("Bearer realm=\"cellmesh\", error=\"invalid_token\"");
      assertThat(answer.body()).doesNotContain(unknown.token());
    }
    assertThat(instance.terms).isEmpty();
    assertThat(http.get(ROW, bearer(ALL)).statusCode()).isEqualTo(404);
  }

  @Test
  void a_refusal_names_the_right_and_the_instance_and_does_not_tell_whether_that_is_there() {
    var there = calls("vaults", READER);
    var absent = calls("nowhere", READER);

    for (int i = 0; i < there.size(); i++) {
      assertThat(there.get(i).statusCode()).isEqualTo(403);
      assertThat(there.get(i).body().replace("vaults", "nowhere")).isEqualTo(absent.get(i).body());
    }
    assertThat(Http.json(there.get(4)).get("detail").asText())
        .isEqualTo("the token reader lacks the right write on instance vaults");
    assertThat(http.get(ROW.replace("trips", "nowhere"), bearer(ALL)).statusCode()).isEqualTo(404);
  }

  @Test
  void a_caller_who_may_not_is_told_so_before_what_else_is_wrong_with_his_call() {
    assertThat(http.put(ROW + "/BASE/x?nobody=1", "{", bearer(READER)).statusCode()).isEqualTo(403);
    assertThat(http.post("/v1/trips/cells:put", " ".repeat(1 << 20), bearer(READER)).statusCode())
        .isEqualTo(403);
  }

  @Test
  void whether_it_lives_and_can_serve_is_told_to_everybody_and_of_what_to_those_who_may_see_it() {
    instance.trouble = Optional.of("Kafka does not answer");

    for (var path : List.of("/healthz", "/readyz")) {
      assertThat(http.get(path).body()).isEqualTo("{\"status\":\"not ready\",\"instances\":{}}");
      assertThat(http.get(path, "Authorization", "Bearer nonsense").body())
          .isEqualTo("{\"status\":\"not ready\",\"instances\":{}}");
      assertThat(http.get(path, bearer(READER)).body()).doesNotContain("trips", "Kafka");
      assertThat(http.get(path, bearer(WATCHER)).body())
          .contains("trips", "Kafka does not answer")
          .doesNotContain("vaults");
      assertThat(http.get(path, bearer(ALL)).body()).contains("trips", "vaults");
    }
    assertThat(http.get("/healthz").statusCode()).isEqualTo(200);
    assertThat(http.get("/readyz").statusCode()).isEqualTo(503);
    assertThat(http.get("/openapi.yaml").statusCode()).isEqualTo(200);
  }

  @Test
  void figures_are_those_of_the_instances_that_the_caller_may_see() {
    calls("trips", null);
    http.get(ROW, bearer(STRANGER));

    assertThat(http.get("/metrics", bearer(WATCHER)).body())
        .contains("cellmesh_worker_ready{cellmesh_instance=\"trips\"} 1")
        .contains("cellmesh_worker_file_in_force{file=\"tokens\"} 1")
        .contains("cellmesh_worker_refused_total{problem=\"no-token\"} 9")
        .contains("cellmesh_worker_refused_total{problem=\"forbidden\"} 1")
        .doesNotContain("vaults");
    assertThat(http.get("/metrics", bearer(STRANGER)).body()).doesNotContain("trips", "vaults");
    assertThat(http.get("/metrics", bearer(ALL)).body()).contains("\"trips\"", "\"vaults\"");
  }

  @Test
  void a_token_counts_within_seconds_of_its_line_and_no_longer_than_it() throws IOException {
    var late = NewToken.draw("late", List.of("trips:read"));
    assertThat(http.get(ROW, bearer(late)).statusCode()).isEqualTo(401);

    write(late);
    await().until(() -> http.get(ROW, bearer(late)).statusCode() == 404);

    assertThat(http.get(ROW, bearer(READER)).statusCode()).isEqualTo(401);
  }

  @Test
  void a_broken_file_leaves_the_tokens_before_in_force_and_a_figure_says_so() throws IOException {
    Files.writeString(file, "tokens: [{name: all}]");

    await()
        .until(
            () ->
                http.get("/metrics", bearer(ALL))
                    .body()
                    .contains("cellmesh_worker_file_in_force{file=\"tokens\"} 0"));
    assertThat(http.get(ROW, bearer(READER)).statusCode()).isEqualTo(404);
    assertThat(http.get(ROW).statusCode()).isEqualTo(401);
  }

  @Test
  void a_body_is_not_taken_from_whom_nobody_knows() throws IOException {
    try (var socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(
              "PUT %s/BASE/1 HTTP/1.1\r\nHost: w1\r\nContent-Length: 1000000\r\n\r\n1"
                  .formatted(ROW)
                  .getBytes(StandardCharsets.UTF_8));
      // The rest of the body never comes.
      var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 401 ");
    }
  }

  @Test
  void the_name_of_a_call_is_given_back_or_made_unless_it_could_not_stand_in_a_log() {
    assertThat(id(http.get(ROW, "X-Request-Id", "a-1"))).isEqualTo("a-1");
    assertThat(id(http.get(ROW))).matches("[0-9a-f]{16}").isNotEqualTo(id(http.get(ROW)));
    assertThat(id(http.get(ROW, "X-Request-Id", "two words"))).matches("[0-9a-f]{16}");
    assertThat(id(http.get(ROW, "X-Request-Id", "x".repeat(65)))).matches("[0-9a-f]{16}");
    assertThat(id(http.get("/v1/%zz".replace("%zz", "%25/.;/"), "X-Request-Id", "a-2")))
        .isEqualTo("a-2");
  }

  private static String id(HttpResponse<String> answer) {
    return answer.headers().firstValue("X-Request-Id").orElseThrow();
  }

  @Test
  void another_method_gets_around_nothing() {
    instance.put("0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f01", "\"secret\"");
    for (var method : List.of("HEAD", "OPTIONS", "PATCH", "DELETE", "TRACE")) {
      var answer = http.send(method, ROW, BodyPublishers.noBody());
      assertThat(answer.body()).as(method).doesNotContain("secret");
      assertThat(answer.headers().firstValue("Cellmesh-Served-By")).as(method).isEmpty();
    }
  }

  private static String[] bearer(NewToken token) {
    return new String[] {"Authorization", "Bearer " + token.token()};
  }
}
