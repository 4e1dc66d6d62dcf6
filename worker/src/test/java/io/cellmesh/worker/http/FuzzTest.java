package io.cellmesh.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.cellmesh.worker.http.RandomRequests.Request;
import io.cellmesh.worker.security.Limits;
import io.cellmesh.worker.security.NewToken;
import io.cellmesh.worker.security.Protection;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is sent, what comes back is in the contract. */
class FuzzTest {
  /** So many by default; 20,000 take twenty seconds. */
  private static final int REQUESTS = Integer.getInteger("cellmesh.requests", 4_000);

  private static final long SEED = Long.getLong("cellmesh.fuzz.seed", 28);

  /** What HTTP itself says about a request that does not reach its operation. */
  private static final Set<Integer> OF_HTTP = Set.of(400, 404, 405, 413, 414, 431);

  @Test
  void no_request_is_answered_by_anything_but_what_the_contract_names() throws Exception {
    var contract = new YAMLMapper().readTree(FuzzTest.class.getResourceAsStream("/openapi.yaml"));
    var requests = new RandomRequests(contract, new Random(SEED));
    var statuses = new TreeMap<Integer, Integer>();
    try (var server =
        WorkerServer.start(
            new InetSocketAddress("127.0.0.1", 0),
            Map.of("trips", new FakeInstance()),
            new QueuedThreadPool(20),
            System::nanoTime)) {
      var http = new Http(server.port());
      for (int i = 0; i < REQUESTS; i++) {
        var request = requests.next();
        var answer = send(http, request);
        statuses.merge(answer.statusCode(), 1, Integer::sum);
        check(request, answer);
      }
    }
    assertThat(statuses.keySet()).as("%s", statuses).contains(200, 202, 400, 404, 409);
    assertThat(statuses.get(200)).as("%s", statuses).isGreaterThan(REQUESTS / 5);
  }

  @Test
  void with_tokens_wrong_and_right_no_answer_and_no_line_of_a_log_has_a_secret(@TempDir Path dir)
      throws Exception {
    var contract = new YAMLMapper().readTree(FuzzTest.class.getResourceAsStream("/openapi.yaml"));
    var random = new Random(SEED);
    var requests = new RandomRequests(contract, random);
    var reader = NewToken.draw("reader", List.of("trips:read"));
    var all = NewToken.draw("all", List.of("*:read,write,indexes,status"));
    var unknown = NewToken.draw("reader", List.of("trips:read"));
    var file = dir.resolve("tokens.yaml");
    Files.writeString(file, "tokens:\n%s\n%s\n".formatted(reader.entry(), all.entry()));
    var secrets = List.of(reader.token(), all.token(), unknown.token(), "s3cret");
    var headers =
        List.of(
            "Bearer " + reader.token(),
            "Bearer " + all.token(),
            "Bearer " + unknown.token(),
            "Bearer " + all.token() + "x",
            "Basic s3cret",
            "Bearer s3cret s3cret",
            all.token(),
            "");
    var statuses = new TreeMap<Integer, Integer>();
    try (var log = new LogLines();
        var server =
            WorkerServer.start(
                new InetSocketAddress("127.0.0.1", 0),
                new Protection(Optional.of(file), Optional.empty(), true, Limits.USUAL),
                Map.of("trips", new FakeInstance()),
                new QueuedThreadPool(20),
                System::nanoTime)) {
      var http = new Http(server.port());
      for (int i = 0; i < REQUESTS; i++) {
        var request = requests.next();
        int which = random.nextInt(headers.size());
        var answer = send(http, request, "Authorization", headers.get(which));
        statuses.merge(answer.statusCode(), 1, Integer::sum);
        check(request, answer);
        boolean needsRight = request.operation().rules().has("x-right");
        if (which > 1 && needsRight && !OF_HTTP.contains(answer.statusCode())) {
          assertThat(answer.statusCode()).as("%s", request).isEqualTo(401);
        }
        assertThat(answer.headers().map() + answer.body())
            .as("seed %d, %s", SEED, request)
            .doesNotContain(secrets.toArray(String[]::new));
      }
      assertThat(log.text()).contains("refused 401", "refused 403", " 200 ");
      assertThat(log.text()).doesNotContain(secrets.toArray(String[]::new));
    }
    assertThat(statuses.keySet()).as("%s", statuses).contains(200, 400, 401, 403, 404);
  }

  private static HttpResponse<String> send(Http http, Request request, String... more) {
    var headers = new ArrayList<>(List.of(more));
    request
        .headers()
        .forEach(
            (name, value) -> {
              headers.add(name);
              headers.add(value);
            });
    var body =
        request.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofString(request.body());
    var path = request.path() + (request.query().isEmpty() ? "" : "?" + request.query());
    return http.send(request.operation().method(), path, body, headers.toArray(String[]::new));
  }

  private static void check(Request request, HttpResponse<String> answer) {
    int status = answer.statusCode();
    boolean named = request.operation().rules().get("responses").has(Integer.toString(status));
    assertThat(named || OF_HTTP.contains(status))
        .as("seed %d, %d: %s", SEED, status, request)
        .isTrue();
    var type = answer.headers().firstValue("Content-Type").orElse("");
    assertThat(type.startsWith("application/problem+json"))
        .as("seed %d, %d %s: %s", SEED, status, type, request)
        .isEqualTo(status >= 400 && !request.operation().path().equals("/readyz"));
    assertThat(answer.body())
        .as("seed %d, %s", SEED, request)
        .doesNotContain("Exception", "\tat ", "Jetty", "java.lang");
  }
}
