package io.cellmesh.worker.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** A client of a worker on this machine. */
public final class Http {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client;
  private final String base;

  public Http(int port) {
    this("http://127.0.0.1:" + port, HttpClient.newHttpClient());
  }

  Http(String base, HttpClient client) {
    this.base = base;
    this.client = client;
  }

  public HttpResponse<String> get(String path, String... headers) {
    return send("GET", path, BodyPublishers.noBody(), headers);
  }

  public HttpResponse<String> put(String path, String body, String... headers) {
    return send("PUT", path, BodyPublishers.ofString(body), headers);
  }

  public HttpResponse<String> post(String path, String body, String... headers) {
    return send("POST", path, BodyPublishers.ofString(body), headers);
  }

  public HttpResponse<String> send(
      String method, String path, BodyPublisher body, String... headers) {
    try {
      return client.send(request(method, path, body, headers), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(method + " " + path, e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public CompletableFuture<HttpResponse<String>> putLater(String path, String body) {
    return client.sendAsync(
        request("PUT", path, BodyPublishers.ofString(body)), BodyHandlers.ofString());
  }

  public static JsonNode json(HttpResponse<String> response) {
    try {
      return JSON.readTree(response.body());
    } catch (IOException e) {
      throw new AssertionError(response.body(), e);
    }
  }

  private HttpRequest request(String method, String path, BodyPublisher body, String... headers) {
    var request = HttpRequest.newBuilder(URI.create(base + path)).method(method, body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return request.build();
  }
}
