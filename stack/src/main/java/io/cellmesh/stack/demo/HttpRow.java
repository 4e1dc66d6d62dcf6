package io.cellmesh.stack.demo;

import io.cellmesh.deployment.DataCenter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;

/**
 * A row as a worker serves it to whoever has nothing but HTTP.
 *
 * @param url where it was asked for
 * @param answer what the worker said
 */
public record HttpRow(URI url, String answer) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Asks the first worker of a data centre.
   *
   * @throws IOException if it does not answer within ten seconds
   */
  public static HttpRow read(DataCenter dc, UUID row) throws IOException, InterruptedException {
    var path = "/v1/%s/cells/%s".formatted(dc.topology().instance(), row);
    var url = dc.workers().get(0).resolve(path);
    var request = HttpRequest.newBuilder(url).timeout(PATIENCE).build();
    return new HttpRow(
        url, HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
  }
}
