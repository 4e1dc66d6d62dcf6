package io.cellmesh.worker.http;

import static io.javalin.http.HandlerType.GET;
import static io.javalin.http.HandlerType.POST;
import static io.javalin.http.HandlerType.PUT;

import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.worker.security.Door;
import io.cellmesh.worker.security.Protection;
import io.cellmesh.worker.security.Right;
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
import java.util.Optional;
import java.util.function.LongSupplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the routes of {@code openapi.yaml} over HTTP. */
public final class WorkerServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerServer.class);

  /** Of a whole request. */
  private static final int MOST_BYTES = 8 << 20;

  /** Made anew for each answer, few of which are longer. */
  private static final int COPIED_AT_ONCE = 1 << 12;

  private static final Duration DRAIN = Duration.ofSeconds(10);
  private static final Duration LAST_WORD = Duration.ofSeconds(1);
  private static final int LOOK_MILLIS = 20;
  private static final String STARTED = "cellmesh-started";

  private final Javalin javalin;
  private final Figures figures = new Figures();
  private final Door door;
  private final Guard guard;
  private final Bodies bodies;
  private final LongSupplier clock;
  private volatile boolean ending;

  private WorkerServer(
      InetSocketAddress at,
      Door door,
      Map<String, ? extends Instance> byName,
      ThreadPool threads,
      LongSupplier clock) {
    this.door = door;
    this.guard = new Guard(door, figures);
    this.bodies = new Bodies(MOST_BYTES, door.protection().limits().body(), clock);
    this.clock = clock;
    var instances = new Instances(Map.copyOf(byName));
    this.javalin =
        Javalin.create(
            config -> {
              config.startup.showJavalinBanner = false;
              config.startup.showOldJavalinVersionWarning = false;
              config.startup.startupWatcherEnabled = false;
              config.jetty.threadPool = threads;
              config.jetty.modifyServer(this::modify);
              config.jetty.modifyServletContextHandler(
                  context -> context.setSessionHandler(new NoSessions()));
              config.jetty.addConnector((server, http) -> Listener.open(server, http, at, door));
              config.http.maxRequestSize = MOST_BYTES;
              config.http.responseBufferSize = COPIED_AT_ONCE;
              config.http.prefer405over404 = true;
              // Deadlines are the routes' own.
              config.http.asyncTimeout = 0;
              routes(instances, new Call(threads, clock))
                  .forEach(
                      route ->
                          config.routes.addHttpHandler(
                              route.method, route.path, context -> handle(route, context)));
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
   * @throws DeploymentException if a file of the protection can't be used, or other machines would
   *     be served without tokens
   */
  public static WorkerServer start(
      InetSocketAddress at,
      Protection protection,
      Map<String, ? extends Instance> instances,
      ThreadPool threads,
      LongSupplier clock) {
    var door = Door.open(protection, at);
    boolean started = false;
    try {
      var server = new WorkerServer(at, door, instances, threads, clock);
      server.javalin.start();
      started = true;
      return server;
    } finally {
      if (!started) {
        door.close();
      }
    }
  }

  /** Starts to serve this machine alone. */
  public static WorkerServer start(
      InetSocketAddress at,
      Map<String, ? extends Instance> instances,
      ThreadPool threads,
      LongSupplier clock) {
    return start(at, Protection.LOOPBACK, instances, threads, clock);
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

  /** Takes no more calls, and lets those that wait go on for up to ten seconds. */
  public void drain() {
    ending = true;
    awaitAnswers(DRAIN);
  }

  /** Drains, unless that was done, and ends; what was told just before still gets through. */
  @Override
  public void close() {
    if (!ending) {
      drain();
    }
    awaitAnswers(LAST_WORD);
    LOG.info("stops with {} calls that are not answered", figures.inFlight());
    javalin.stop();
    door.close();
  }

  private void awaitAnswers(Duration most) {
    long end = clock.getAsLong() + most.toNanos();
    try {
      while (figures.inFlight() > 0 && clock.getAsLong() - end < 0) {
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * A route.
   *
   * @param needs the right that a caller must have; empty if everybody may
   */
  private record Route(HandlerType method, String path, Optional<Right> needs, Handler does) {
    Route(HandlerType method, String path, Right needs, Handler does) {
      this(method, path, Optional.of(needs), does);
    }
  }

  private List<Route> routes(Instances instances, Call call) {
    var cells = new CellRoutes(instances, call, figures);
    var batches = new BatchRoutes(instances, call, figures);
    var indexes = new IndexRoutes(instances, call, guard);
    var status = new StatusRoutes(instances, call);
    var system = new SystemRoutes(instances, figures, door, () -> ending);
    Optional<Right> none = Optional.empty();
    return List.of(
        new Route(PUT, "/v1/{instance}/cells/{row}/{column}/{ref}", Right.WRITE, cells::put),
        new Route(GET, "/v1/{instance}/cells/{row}/{column}/{ref}", Right.READ, cells::get),
        new Route(GET, "/v1/{instance}/cells/{row}/{column}", Right.READ, cells::latest),
        new Route(GET, "/v1/{instance}/cells/{row}", Right.READ, cells::row),
        new Route(POST, "/v1/{instance}/cells:get", Right.READ, batches::get),
        new Route(POST, "/v1/{instance}/cells:put", Right.WRITE, batches::put),
        new Route(GET, "/v1/{instance}/indexes/{name}", Right.INDEXES, indexes::page),
        new Route(GET, "/v1/{instance}/status", Right.STATUS, status::overview),
        new Route(GET, "/v1/{instance}/status/shards", Right.STATUS, status::shards),
        new Route(GET, "/v1/{instance}/status/indexes", Right.STATUS, status::indexes),
        new Route(GET, "/v1/{instance}/status/refused", Right.STATUS, status::refused),
        new Route(GET, "/v1/{instance}/status/triggers", Right.STATUS, status::triggers),
        new Route(GET, "/v1/{instance}/status/buffers", Right.STATUS, status::buffers),
        new Route(GET, "/v1/{instance}/status/rows/{row}", Right.READ, status::row),
        new Route(GET, "/ui", none, PageRoutes::page),
        new Route(GET, "/ui/{file}", none, PageRoutes::file),
        new Route(GET, "/healthz", none, system::health),
        new Route(GET, "/readyz", none, system::readiness),
        new Route(GET, "/metrics", Right.STATUS, system::metrics),
        new Route(GET, "/openapi.yaml", none, system::contract));
  }

  private void modify(Server server) {
    server.setErrorHandler(new JettyProblems());
    if (door.protection().accessLog()) {
      server.setRequestLog(new AccessLog());
    }
  }

  /** No route is reached but through here. */
  private void handle(Route route, Context context) throws Exception {
    var path = context.pathParamMap();
    Trace.of(context)
        .reached(
            route.path,
            Optional.ofNullable(path.get("instance")),
            Optional.ofNullable(path.get("row")));
    guard.identify(context, route.needs.isPresent());
    if (route.needs.isPresent()) {
      // Not before it is known who sends it. But a refusal before all of it is here is cut off.
      bodies.read(context);
      guard.require(context, route.needs.get());
    }
    route.does.handle(context);
  }

  private void surround(JavalinConfig config) {
    var limits = door.protection().limits();
    config.routes.before(
        context -> {
          var end = figures.begun();
          var connection = Connections.of(context);
          // Javalin's logger hears nothing of one whose client goes away while it is answered.
          Request.addCompletionListener(
              ServletContextRequest.getServletContextRequest(context.req()),
              failure -> {
                end.run();
                connection.setIdleTimeout(limits.idle().toMillis());
              });
          context.attribute(STARTED, clock.getAsLong());
          var trace = Trace.begin(context.header(Headers.REQUEST_ID));
          trace.keepIn(context);
          context.header(Headers.REQUEST_ID, trace.id());
          if (ending && context.path().startsWith("/v1/")) {
            throw new ProblemException(Problem.ending());
          }
        });
    // What comes next is to write the answer.
    config.routes.after(context -> Connections.hurry(Connections.of(context), limits.answer()));
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
