package io.cellmesh.operations.topology;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Answers as Connect does to what changes the map or an index's connector; tells the changes. */
public final class RecordedConnect implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String RUNNING =
      "{\"connector\":{\"state\":\"RUNNING\"},\"tasks\":[{\"id\":0,\"state\":\"RUNNING\"}]}";

  private final TreeMap<String, Map<String, String>> connectors = new TreeMap<>();
  private final List<String> changes = new ArrayList<>();
  private final Map<String, Runnable> meanwhile = new TreeMap<>();
  private final HttpServer server;
  private int refusals;

  public RecordedConnect() throws IOException {
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/connectors", this::answer);
    server.start();
  }

  public void put(String name, Map<String, String> config) {
    connectors.put(name, config);
  }

  /** So many requests are refused, as while a group rebalances for long or has lost its leader. */
  void refuse(int requests) {
    refusals = requests;
  }

  /** What somebody else does while a change is made, or a question is answered. */
  public void during(String request, Runnable work) {
    meanwhile.put(request, work);
  }

  public Map<String, String> config(String name) {
    return connectors.get(name);
  }

  /** {@code PUT trips-sink/config} and the like, in their order. */
  public List<String> changes() {
    return changes;
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private synchronized void answer(HttpExchange exchange) {
    try (exchange) {
      var path = exchange.getRequestURI().getPath().substring("/connectors".length());
      if (refusals-- > 0) {
        send(exchange, 500, "{\"message\":\"Request timed out\"}");
      } else if (path.isEmpty()) {
        send(exchange, 200, JSON.writeValueAsString(connectors.keySet()));
      } else if (exchange.getRequestMethod().equals("GET")) {
        meanwhile.getOrDefault("GET " + path.substring(1), () -> {}).run();
        var name = path.split("/")[1];
        send(
            exchange,
            200,
            path.endsWith("/status") ? RUNNING : JSON.writeValueAsString(connectors.get(name)));
      } else {
        change(exchange, path.substring(1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void change(HttpExchange exchange, String path) throws IOException {
    var change = exchange.getRequestMethod() + " " + path;
    changes.add(change);
    meanwhile.getOrDefault(change, () -> {}).run();
    if (path.endsWith("/config")) {
      connectors.put(
          path.split("/")[0],
          JSON.readValue(exchange.getRequestBody(), new TypeReference<Map<String, String>>() {}));
    }
    boolean deleted = change.equals("DELETE " + path.split("/")[0]);
    if (deleted) {
      connectors.remove(path);
    }
    int status = deleted || path.endsWith("/stop") ? 204 : path.endsWith("/resume") ? 202 : 200;
    send(exchange, status, status == 200 ? "{}" : "");
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
