package io.cellmesh.herb;

import io.cellmesh.herb.Callers.RefusedException;
import io.cellmesh.herb.wire.BatchWriter;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.KafkaException;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets peers read this data centre's own cells over HTTP/2, of as many instances as are served: in
 * the clear on this machine, else over TLS with certificates on both ends.
 */
final class OriginServer implements AutoCloseable {
  /** Who this data centre is, and what its log has. */
  static final String LOG = "/v1/{instance}/mesh/log";

  /** Its own cells, from the place on that the question names. */
  static final String CELLS = "/v1/{instance}/mesh/cells";

  static final String CONTENT_TYPE = "application/vnd.cellmesh.cells";

  private static final Logger LOGGER = LoggerFactory.getLogger(OriginServer.class);
  private static final Duration PROGRESS = Duration.ofSeconds(1);

  /** Each stream has one; there are no more than are needed. */
  private static final int MOST_THREADS = 2_000;

  private static final int MOST_QUESTION_BYTES = 1 << 20;

  /** A peer that lost its connection asks again before the old one is seen to be dead. */
  private static final int MOST_STREAMS = 4;

  private final Javalin javalin;
  private final Callers callers;
  private final Map<String, Served> served = new ConcurrentHashMap<>();
  private final Map<String, Integer> streams = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * An instance's log.
   *
   * @param allowed the data centres that may read it
   */
  private record Served(OwnLog log, Set<String> allowed) {}

  private OriginServer(String bind, int port, Optional<SSLContext> tls) {
    this.callers = new Callers(tls.isPresent());
    this.javalin =
        Javalin.create(
            config -> {
              config.startup.showJavalinBanner = false;
              config.startup.showOldJavalinVersionWarning = false;
              config.startup.startupWatcherEnabled = false;
              config.jetty.threadPool = new QueuedThreadPool(MOST_THREADS);
              config.jetty.addConnector(
                  (server, http) -> OriginConnector.of(server, http, bind, port, tls));
              config.http.maxRequestSize = MOST_QUESTION_BYTES;
              // What is sent is packed.
              config.http.compressionStrategy = CompressionStrategy.NONE;
              config.routes.get(LOG, context -> answer(context, this::describe));
              config.routes.post(CELLS, context -> answer(context, this::stream));
            });
  }

  /**
   * Starts to listen.
   *
   * @param port 0 takes any that is free
   * @param tls this data centre's certificate and the CAs that it believes; empty in the clear
   * @throws IllegalArgumentException if it can't
   */
  static OriginServer start(String bind, int port, Optional<SSLContext> tls) {
    var server = new OriginServer(bind, port, tls);
    try {
      server.javalin.start();
    } catch (RuntimeException e) {
      server.javalin.stop();
      throw new IllegalArgumentException(
          "mesh.serve: %s:%d can't be listened on: %s".formatted(bind, port, e.getMessage()), e);
    }
    LOGGER.info("Peers may read over HTTP at {}:{}", bind, server.javalin.port());
    return server;
  }

  /**
   * Serves the log of an instance from now on, in place of what it served of that one.
   *
   * @param allowed the data centres that may read it; streams of others end
   */
  void serve(OwnLog log, Set<String> allowed) {
    served.put(log.instance(), new Served(log, Set.copyOf(allowed)));
    LOGGER.info("{} may read the log of {}", new TreeSet<>(allowed), log.instance());
  }

  /** Serves the log of an instance no longer, and ends its streams within a second. */
  void leave(String instance) {
    served.remove(instance);
  }

  /** Whether it serves no log. */
  boolean isIdle() {
    return served.isEmpty();
  }

  /** Where it listens. */
  int port() {
    return javalin.port();
  }

  /** Ends all streams, each behind a whole batch, within seconds. */
  @Override
  public void close() {
    closed = true;
    javalin.stop();
  }

  /** What is done for somebody who may ask. */
  private interface Answer {
    void to(String caller, Served asked, Context context) throws InterruptedException;
  }

  private void answer(Context context, Answer answer) throws InterruptedException {
    try {
      var caller = callers.of(context.req());
      var instance = context.pathParam("instance");
      var asked = served.get(instance);
      if (asked == null) {
        refuse(context, HttpStatus.NOT_FOUND, "there is no such instance here");
      } else {
        Callers.check(caller, asked.allowed());
        answer.to(caller, asked, context);
      }
    } catch (RefusedException e) {
      LOGGER.warn("Refused {}: {}", context.req().getRemoteAddr(), e.getMessage());
      refuse(context, HttpStatus.FORBIDDEN, e.getMessage());
    } catch (KafkaException e) {
      refuse(context, HttpStatus.SERVICE_UNAVAILABLE, e.getMessage());
    }
  }

  private void describe(String caller, Served asked, Context context) throws InterruptedException {
    context.contentType("application/json").result(asked.log().describe().toJson());
  }

  private void stream(String caller, Served asked, Context context) throws InterruptedException {
    var log = asked.log();
    var question = LogQuestion.parse(context.body());
    if (question.isEmpty()
        || question.get().next().isEmpty()
        || !partitionsOf(log).containsAll(question.get().next().keySet())) {
      refuse(
          context,
          HttpStatus.BAD_REQUEST,
          "next must name an offset of each partition that is wanted, of 0 to %d"
              .formatted(log.partitions() - 1));
      return;
    }
    var described = log.describe();
    if (!described.log().equals(question.get().log())) {
      refuse(
          context,
          HttpStatus.CONFLICT,
          "the log of %s is %s, not %s"
              .formatted(log.instance(), described.log().toJson(), question.get().log().toJson()));
      return;
    }
    var key = caller + " " + log.instance();
    if (streams.merge(key, 1, Integer::sum) > MOST_STREAMS) {
      streams.merge(key, -1, Integer::sum);
      refuse(context, HttpStatus.TOO_MANY_REQUESTS, "%s reads already".formatted(caller));
      return;
    }
    try (var cells = log.open(question.get().next())) {
      LOGGER.info("{} reads the log of {}", caller, log.instance());
      send(cells, asked, context);
    } catch (IOException e) {
      LOGGER.info("{} no longer reads the log of {}: {}", caller, log.instance(), e.toString());
    } catch (KafkaException e) {
      // Whoever reads sees an end, and asks again.
      LOGGER.warn("{} reads the log of {} no further", caller, log.instance(), e);
    } finally {
      streams.merge(key, -1, Integer::sum);
    }
  }

  private static Set<Integer> partitionsOf(OwnLog log) {
    return IntStream.range(0, log.partitions()).boxed().collect(Collectors.toSet());
  }

  private void send(OwnCells cells, Served asked, Context context) throws IOException {
    context.res().setContentType(CONTENT_TYPE);
    var out = context.res().getOutputStream();
    context.res().flushBuffer();
    while (!closed && asked.equals(served.get(asked.log().instance()))) {
      for (var batch : cells.poll(PROGRESS)) {
        out.write(BatchWriter.write(batch));
      }
      out.flush();
    }
  }

  private static void refuse(Context context, HttpStatus status, String why) {
    context.status(status).contentType("text/plain; charset=utf-8").result(why);
  }
}
