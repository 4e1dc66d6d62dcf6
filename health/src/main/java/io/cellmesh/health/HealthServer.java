package io.cellmesh.health;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Says on a port how the application is. */
public final class HealthServer implements AutoCloseable {
  private static final String JSON = "application/json";
  private static final String INSTANCE = "instance=";

  /** Peers that may be slow at a time without keeping others waiting. */
  private static final int THREADS = 4;

  /** Seconds in which a peer has to send its request, and then to take the answer. */
  private static final String PATIENCE = "10";

  static {
    // The JDK's server waits for ever unless it is told so, and for all of a process.
    for (var bound : List.of("sun.net.httpserver.maxReqTime", "sun.net.httpserver.maxRspTime")) {
      if (System.getProperty(bound) == null) {
        System.setProperty(bound, PATIENCE);
      }
    }
  }

  private final HttpServer server;
  private final Supplier<? extends Health> health;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, HealthServer::daemon);

  private HealthServer(HttpServer server, Supplier<? extends Health> health) {
    this.server = server;
    this.health = health;
  }

  /**
   * Starts at once.
   *
   * @param at where to listen; port 0 takes any that is free
   * @throws IOException if it can't listen there
   */
  public static HealthServer start(InetSocketAddress at, Supplier<? extends Health> health)
      throws IOException {
    var server = HttpServer.create(at, 0);
    var started = new HealthServer(server, health);
    server.createContext("/health", started::answerHealth);
    server.createContext("/metrics", started::answerMetrics);
    server.setExecutor(started.threads);
    server.start();
    return started;
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** Nobody who says how it is has to expect two who ask. */
  private synchronized Health now() {
    return health.get();
  }

  private void answerHealth(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (isGet(exchange)) {
        var asked = asked(now(), exchange.getRequestURI().getQuery());
        if (asked.isEmpty()) {
          send(exchange, 404, JSON, "{\"status\":\"there is no such instance here\"}");
          return;
        }
        send(exchange, asked.get().isGood() ? 200 : 503, JSON, asked.get().toJson());
      }
    }
  }

  /** All of it, or the instance that the query names. */
  private static Optional<? extends Health> asked(Health all, String query) {
    if (query == null) {
      return Optional.of(all);
    }
    return Stream.of(query.split("&"))
        .filter(part -> part.startsWith(INSTANCE))
        .findFirst()
        .map(part -> all.ofInstance(part.substring(INSTANCE.length())))
        .orElse(Optional.of(all));
  }

  /** They are there whatever they say. */
  private void answerMetrics(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (isGet(exchange)) {
        send(exchange, 200, MetricPage.contentType(), now().metrics().text());
      }
    }
  }

  private static boolean isGet(HttpExchange exchange) throws IOException {
    boolean get = exchange.getRequestMethod().equals("GET");
    if (!get) {
      exchange.sendResponseHeaders(405, -1);
    }
    return get;
  }

  private static void send(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    var body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
  }

  private static Thread daemon(Runnable task) {
    var thread = new Thread(task, "health");
    thread.setDaemon(true);
    return thread;
  }
}
