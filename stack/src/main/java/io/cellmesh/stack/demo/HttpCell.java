package io.cellmesh.stack.demo;

import io.cellmesh.cell.CellKey;
import io.cellmesh.deployment.DataCenter;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A cell as a worker serves it to whoever has nothing but HTTP.
 *
 * @param url where it was asked for
 * @param answer what the worker said
 */
public record HttpCell(URI url, String answer) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Asks the first worker of a data centre.
   *
   * @throws IOException if it does not answer within ten seconds
   */
  public static HttpCell read(DataCenter dc, CellKey key) throws IOException, InterruptedException {
    var column = URLEncoder.encode(key.columnName(), StandardCharsets.UTF_8).replace("+", "%20");
    var path =
        "/v1/%s/cells/%s/%s/%d"
            .formatted(dc.topology().instance(), key.rowKey(), column, key.refKey());
    var url = dc.workers().get(0).resolve(path);
    var request = HttpRequest.newBuilder(url).timeout(PATIENCE).build();
    return new HttpCell(
        url, HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
  }
}
