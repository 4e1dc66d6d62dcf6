package io.cellmesh.operations.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Connect by its REST interface. A rebalance, during which it refuses changes, is waited out. */
final class ConnectRest implements Connect {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration ANSWER = Duration.ofSeconds(95);
  private static final Duration REBALANCE = Duration.ofSeconds(60);
  private static final Duration RETRY = Duration.ofMillis(250);
  private static final String OFFSETS = "/offsets";

  private final URI worker;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  /**
   * @param worker {@code http://host:port}
   */
  ConnectRest(URI worker) {
    this.worker = worker;
  }

  @Override
  public JsonNode connectors() {
    return send("GET", "/connectors?expand=info&expand=status", "");
  }

  @Override
  public JsonNode status(String connector) {
    return send("GET", path(connector) + "/status", "");
  }

  @Override
  public void stop(String connector) {
    send("PUT", path(connector) + "/stop", "");
  }

  @Override
  public void resume(String connector) {
    send("PUT", path(connector) + "/resume", "");
  }

  @Override
  public JsonNode offsets(String connector) {
    return send("GET", path(connector) + OFFSETS, "");
  }

  @Override
  public void alterOffsets(String connector, String offsets) {
    send("PATCH", path(connector) + OFFSETS, offsets);
  }

  @Override
  public String address() {
    return worker.toString();
  }

  private JsonNode send(String method, String path, String body) {
    try {
      var response =
          Waiting.last(REBALANCE, RETRY, () -> exchange(method, path, body), r -> !rebalances(r));
      if (response.statusCode() / 100 == 2) {
        return json(response.body());
      }
      throw refused(method, path, response.statusCode(), message(response));
    } catch (IOException e) {
      throw OperationException.unavailable("Connect at " + worker + " does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw OperationException.unavailable("interrupted while Connect was asked", e);
    }
  }

  private static boolean rebalances(HttpResponse<String> response) {
    return response.statusCode() == 409 && message(response).contains("rebalance");
  }

  private static String message(HttpResponse<String> response) {
    return json(response.body()).path("message").asText(response.body());
  }

  private HttpResponse<String> exchange(String method, String path, String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(worker.resolve(path))
            .timeout(ANSWER)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  /** Before Kafka 3.5 the paths do not exist, which is another 404 than an unknown connector's. */
  private OperationException refused(String method, String path, int status, String message) {
    boolean noSuchPath = status == 405 || (status == 404 && message.startsWith("HTTP "));
    if (noSuchPath && (path.endsWith("/stop") || path.endsWith(OFFSETS))) {
      return OperationException.unavailable(
          "Connect at %s can't stop connectors and change their offsets: its workers need Kafka 3.6 or later"
              .formatted(worker));
    }
    return OperationException.failed(
        "Connect at %s refuses %s %s (%d): %s".formatted(worker, method, path, status, message));
  }

  private static JsonNode json(String body) {
    try {
      return body.isEmpty() ? JSON.missingNode() : JSON.readTree(body);
    } catch (JsonProcessingException e) {
      return JSON.missingNode();
    }
  }

  private static String path(String connector) {
    return "/connectors/" + URLEncoder.encode(connector, StandardCharsets.UTF_8);
  }
}
