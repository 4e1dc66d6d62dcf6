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
import java.util.Optional;

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
      var trouble = trouble(dc, JsonMapper.builder().build().readTree(answer.body()));
      return new Part(
          dc.name(),
          NAME,
          worker.toString(),
          trouble.isEmpty(),
          trouble.orElse("its page is " + page(worker)));
    } catch (IOException e) {
      return new Part(dc.name(), NAME, worker.toString(), false, "does not answer as a worker");
    }
  }

  /** Why a worker that said this is of no use for the data centre; empty if it is. */
  private static Optional<String> trouble(DataCenter dc, JsonNode said) {
    var status = said.path("status").asText();
    if (said.path("instances").isEmpty()) {
      // It asks for tokens, and tells no more to whoever has none.
      return status.equals("ready")
          ? Optional.empty()
          : Optional.of("is not ready, as its log says");
    }
    var instance = dc.topology().instance();
    var mine = said.path("instances").path(instance);
    var where = mine.path("datacenter").asText();
    if (mine.isMissingNode()) {
      return Optional.of("does not serve " + instance);
    }
    if (!where.equals(dc.name())) {
      return Optional.of("serves " + where);
    }
    if (!mine.path("ready").asBoolean()) {
      return Optional.of(mine.path("why").asText("is not ready"));
    }
    return status.equals("ending") ? Optional.of("is about to end") : Optional.empty();
  }
}
