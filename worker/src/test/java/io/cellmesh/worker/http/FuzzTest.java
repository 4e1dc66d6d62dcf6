package io.cellmesh.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.cellmesh.worker.http.RandomRequests.Request;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.Test;

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

  private static HttpResponse<String> send(Http http, Request request) {
    var headers = new ArrayList<String>();
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
