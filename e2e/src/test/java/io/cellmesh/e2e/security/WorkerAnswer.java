package io.cellmesh.e2e.security;

import io.cellmesh.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;

/** What a worker of this process answers. */
record WorkerAnswer(int status, String body) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  static WorkerAnswer get(Worker worker, String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(worker, path)));
  }

  /** Writes a cell of a new row. */
  static WorkerAnswer put(Worker worker, String query) throws IOException, InterruptedException {
    var path = "/v1/trips/cells/%s/BASE/1?%s".formatted(UUID.randomUUID(), query);
    return send(HttpRequest.newBuilder(uri(worker, path)).PUT(BodyPublishers.ofString("1")));
  }

  private static WorkerAnswer send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    var answer = HTTP.send(request.build(), BodyHandlers.ofString());
    return new WorkerAnswer(answer.statusCode(), answer.body());
  }

  private static URI uri(Worker worker, String path) {
    return URI.create("http://127.0.0.1:%d%s".formatted(worker.port(), path));
  }
}
