package io.cellmesh.worker.http;

import io.cellmesh.worker.site.Instance;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the routes of {@code openapi.yaml} over HTTP. */
public final class WorkerServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerServer.class);

  /** Of a whole request. */
  private static final long MOST_BYTES = 8 << 20;

  private static final Duration DRAIN = Duration.ofSeconds(10);
  private static final int LOOK_MILLIS = 20;
  private static final String STARTED = "cellmesh-started";

  private final Javalin javalin;
  private final Figures figures = new Figures();
  private final LongSupplier clock;
  private volatile boolean ending;

  private WorkerServer(
      InetSocketAddress at,
      Map<String, ? extends Instance> byName,
      ThreadPool threads,
      LongSupplier clock) {
    this.clock = clock;
    var instances = new Instances(Map.copyOf(byName));
    this.javalin =
        Javalin.create(
            config -> {
              config.startup.showJavalinBanner = false;
              config.startup.showOldJavalinVersionWarning = false;
              config.startup.startupWatcherEnabled = false;
              config.jetty.host = at.getHostString();
              config.jetty.port = at.getPort();
              config.jetty.threadPool = threads;
              config.jetty.modifyServer(server -> server.setErrorHandler(new JettyProblems()));
              config.jetty.modifyHttpConfiguration(http -> http.setSendServerVersion(false));
              config.http.maxRequestSize = MOST_BYTES;
              config.http.prefer405over404 = true;
              // Deadlines are the routes' own.
              config.http.asyncTimeout = 0;
              routes(instances, new Call(threads, clock))
                  .forEach(
                      route -> config.routes.addHttpHandler(route.method, route.path, route.does));
              surround(config);
            });
  }

  /**
   * Starts to serve.
   *
   * @param at where to listen; port 0 takes any that is free
   * @param instances by name
   * @param threads that take calls and write answers; started and stopped with the server
   * @param clock in nanoseconds, by which deadlines go
   */
  public static WorkerServer start(
      InetSocketAddress at,
      Map<String, ? extends Instance> instances,
      ThreadPool threads,
      LongSupplier clock) {
    var server = new WorkerServer(at, instances, threads, clock);
    server.javalin.start();
    return server;
  }

  /** Where it listens. */
  public int port() {
    return javalin.port();
  }

  /** Every route, as {@code METHOD path}, as the router has it. */
  List<String> routes() {
    return javalin.unsafe.internalRouter.allHttpHandlers().stream()
        .map(handler -> handler.endpoint)
        .filter(endpoint -> endpoint.method.isHttpMethod())
        .map(endpoint -> endpoint.method + " " + endpoint.path)
        .sorted()
        .toList();
  }

  /** Takes no more calls, lets those that wait go on for up to ten seconds, and ends. */
  @Override
  public void close() {
    ending = true;
    long end = clock.getAsLong() + DRAIN.toNanos();
    try {
      while (figures.inFlight() > 0 && clock.getAsLong() - end < 0) {
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    LOG.info("stops with {} calls that are not answered", figures.inFlight());
    javalin.stop();
  }

  private record Route(HandlerType method, String path, Handler does) {}

  private List<Route> routes(Instances instances, Call call) {
    var cells = new CellRoutes(instances, call, figures);
    var batches = new BatchRoutes(instances, call, figures);
    var indexes = new IndexRoutes(instances, call);
    var system = new SystemRoutes(instances, figures, () -> ending);
    return List.of(
        new Route(HandlerType.PUT, "/v1/{instance}/cells/{row}/{column}/{ref}", cells::put),
        new Route(HandlerType.GET, "/v1/{instance}/cells/{row}/{column}/{ref}", cells::get),
        new Route(HandlerType.GET, "/v1/{instance}/cells/{row}/{column}", cells::latest),
        new Route(HandlerType.GET, "/v1/{instance}/cells/{row}", cells::row),
        new Route(HandlerType.POST, "/v1/{instance}/cells:get", batches::get),
        new Route(HandlerType.POST, "/v1/{instance}/cells:put", batches::put),
        new Route(HandlerType.GET, "/v1/{instance}/indexes/{name}", indexes::page),
        new Route(HandlerType.GET, "/healthz", system::health),
        new Route(HandlerType.GET, "/readyz", system::readiness),
        new Route(HandlerType.GET, "/metrics", system::metrics),
        new Route(HandlerType.GET, "/openapi.yaml", system::contract));
  }

  private void surround(JavalinConfig config) {
    config.routes.before(
        context -> {
          figures.begun();
          context.attribute(STARTED, clock.getAsLong());
          // Or a connection with a body that nobody has read is cut off behind an early refusal.
          context.bodyAsBytes();
          if (ending && context.path().startsWith("/v1/")) {
            throw new ProblemException(Problem.unavailable("this worker is about to end"));
          }
        });
    config.routes.exception(Exception.class, WorkerServer::fail);
    // Javalin has an answer of its own for these.
    config.routes.exception(HttpResponseException.class, WorkerServer::fail);
    config.requestLogger.http((context, millis) -> answered(context));
  }

  private static void fail(Exception e, Context context) {
    Reply.of(Problems.of(e), Map.of()).send(context);
  }

  private void answered(Context context) {
    Long started = context.attribute(STARTED);
    if (started != null) {
      var route = context.endpoints().lastHttpEndpoint();
      figures.answered(
          route == null ? "none" : route.method + " " + route.path,
          context.statusCode(),
          (clock.getAsLong() - started) / 1e9);
    }
  }
}
