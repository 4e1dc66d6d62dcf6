package io.cellmesh.operations.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How the workers that a deployment names are, by their own word. */
public final class WorkerStatus {
  private static final String NAME = "worker";
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(PATIENCE).version(HttpClient.Version.HTTP_1_1).build();

  private WorkerStatus() {}

  /** Where people look at a worker. */
  static URI page(URI worker) {
    return URI.create(worker.toString().replaceFirst("/+$", "") + "/ui/");
  }

  /** A line for the page of each worker that a deployment names. */
  public static List<String> pages(Deployment deployment) {
    return deployment.datacenters().stream()
        .flatMap(
            dc ->
                dc.workers().stream()
                    .map(worker -> page(worker) + "  cells of " + dc.name() + " over HTTP"))
        .toList();
  }

  /**
   * Asks each worker of a data centre whether it can serve the instance there; one that does not
   * answer within five seconds is down.
   */
  public static List<Part> of(DataCenter dc) throws InterruptedException {
    var parts = new ArrayList<Part>();
    for (var worker : dc.workers()) {
      parts.add(of(dc, worker));
    }
    return parts;
  }

  private static Part of(DataCenter dc, URI worker) throws InterruptedException {
    var request = HttpRequest.newBuilder(worker.resolve("/readyz")).timeout(PATIENCE).build();
    try {
      var answer = HTTP.send(request, BodyHandlers.ofByteArray());
      return part(dc, worker, JsonMapper.builder().build().readTree(answer.body()));
    } catch (IOException e) {
      return new Part(dc.name(), NAME, worker.toString(), false, "does not answer as a worker");
    }
  }

  static Part part(DataCenter dc, URI worker, JsonNode said) {
    var instance = dc.topology().instance();
    var mine = said.path("instances").path(instance);
    var where = mine.path("datacenter").asText();
    String trouble = "";
    if (said.path("instances").isEmpty()) {
      // It asks for tokens, and tells no more to whoever has none.
      trouble =
          said.path("status").asText().equals("ready") ? "" : "is not ready; its log says why";
    } else if (mine.isMissingNode()) {
      trouble = "does not serve " + instance;
    } else if (!where.equals(dc.name())) {
      trouble = "serves " + where;
    } else if (!mine.path("ready").asBoolean()) {
      trouble = mine.path("why").asText("is not ready");
    } else if (said.path("status").asText().equals("ending")) {
      trouble = "is about to end";
    }
    return new Part(
        dc.name(),
        NAME,
        worker.toString(),
        trouble.isEmpty(),
        trouble.isEmpty() ? "its page is " + page(worker) : trouble);
  }
}
