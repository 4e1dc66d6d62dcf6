package io.cellmesh.herb;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.Supplier;

/** Says on a port of the loopback interface how the process is. */
final class HealthServer implements AutoCloseable {
  private final HttpServer server;
  private final Supplier<HealthReport> report;

  private HealthServer(HttpServer server, Supplier<HealthReport> report) {
    this.server = server;
    this.report = report;
  }

  /**
   * Starts at once.
   *
   * @param port 0 takes any that is free
   * @throws IOException if the port is taken
   */
  static HealthServer start(int port, Supplier<HealthReport> report) throws IOException {
    var server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    var health = new HealthServer(server, report);
    server.createContext("/health", at -> health.answer(at, "json", HealthReport::toJson));
    server.createContext("/metrics", at -> health.answer(at, "metrics", HealthReport::toMetrics));
    server.start();
    return health;
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /** Metrics are good whatever they say; health is 503 unless all is well. */
  private void answer(HttpExchange exchange, String form, Function<HealthReport, String> text)
      throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      var now = report.get();
      var json = form.equals("json");
      var body = text.apply(now).getBytes(StandardCharsets.UTF_8);
      exchange
          .getResponseHeaders()
          .set("Content-Type", json ? "application/json" : "text/plain; version=0.0.4");
      exchange.sendResponseHeaders(json && !now.isGood() ? 503 : 200, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
