package io.cellmesh.stack.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Calls a worker with nothing but HTTP and a JSON parser: what the product's own client gets wrong
 * it gets right.
 */
final class WorkerCalls {
  /** Milliseconds: shorter than cells may take, so that a worker that answers is in time. */
  private static final int DEADLINE = 1_000;

  /** A worker that hangs is not waited for. */
  private static final Duration PATIENCE = Duration.ofMillis(2 * DEADLINE);

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(PATIENCE).version(HttpClient.Version.HTTP_1_1).build();

  private final URI worker;
  private final String instance;

  WorkerCalls(URI worker, String instance) {
    this.worker = worker;
    this.instance = instance;
  }

  /** What a worker said. */
  record Said(HttpResponse<byte[]> response, JsonNode json) {
    int status() {
      return response.statusCode();
    }

    /** Whether to call again, as its contract says. */
    boolean isRepeatable() {
      return List.of(408, 429).contains(status()) || status() >= 500;
    }

    Optional<String> header(String name) {
      return response.headers().firstValue("Cellmesh-" + name);
    }
  }

  /**
   * Writes a cell.
   *
   * @param wait how far it shall come
   * @return empty if there is no answer, or one that asks for another call
   */
  Optional<Said> put(UUID row, String column, long ref, String wait, String body)
      throws InterruptedException {
    var path = "%s/%s/%d?wait=%s&deadline=%d".formatted(row, column, ref, wait, DEADLINE);
    return call(request(path).PUT(BodyPublishers.ofString(body)).build());
  }

  /**
   * Reads the latest cell of a column.
   *
   * @param from which server
   * @param positions that it must have passed, with commas; empty for none
   * @return empty if there is no answer, or one that asks for another call
   */
  Optional<Said> latest(UUID row, String column, String from, String positions)
      throws InterruptedException {
    var path = "%s/%s?read=%s&deadline=%d".formatted(row, column, from, DEADLINE);
    var more = positions.isEmpty() ? "" : "&not-before=" + positions;
    return call(request(path + more).build());
  }

  /** Whether it says that it can serve. */
  boolean isReady() throws InterruptedException {
    var request = HttpRequest.newBuilder(worker.resolve("/readyz")).timeout(PATIENCE).build();
    return call(request).isPresent();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(worker.resolve("/v1/" + instance + "/cells/" + path))
        .timeout(PATIENCE);
  }

  private Optional<Said> call(HttpRequest request) throws InterruptedException {
    try {
      var response = client.send(request, BodyHandlers.ofByteArray());
      var said = new Said(response, JSON.readTree(response.body()));
      return Optional.of(said).filter(s -> !s.isRepeatable());
    } catch (IOException e) {
      // It hangs, is gone or is starting: whoever calls counts it and calls again.
      return Optional.empty();
    }
  }
}
