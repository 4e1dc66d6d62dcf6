package io.cellmesh.herb;

import io.cellmesh.deployment.peer.PeerHttp;
import io.cellmesh.herb.Callers.RefusedException;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
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
  private static final Logger LOGGER = LoggerFactory.getLogger(OriginServer.class);

  /** Each stream has one; there are no more than are needed. */
  private static final int MOST_THREADS = 2_000;

  private static final int MOST_QUESTION_BYTES = 1 << 20;

  private final Javalin javalin;
  private final Callers callers;
  private final Map<String, ServedLog> served = new ConcurrentHashMap<>();
  private final OriginAnswers answers = new OriginAnswers(this::isServed);
  private volatile boolean closed;

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
              config.routes.get(PeerHttp.LOG, context -> answer(context, answers::describe));
              config.routes.post(PeerHttp.CELLS, context -> answer(context, answers::cells));
              config.routes.get(
                  PeerHttp.CHECKPOINTS, context -> answer(context, answers::describeCheckpoints));
              config.routes.post(
                  PeerHttp.CHECKPOINTS, context -> answer(context, answers::checkpoints));
              config.routes.get(PeerHttp.SEED, context -> answer(context, answers::describeSeed));
              config.routes.post(PeerHttp.SEED, context -> answer(context, answers::seed));
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
    served.put(log.instance(), new ServedLog(log, Set.copyOf(allowed)));
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

  /** Whether it is served as it was, and will be. */
  private boolean isServed(ServedLog log) {
    return !closed && log.equals(served.get(log.log().instance()));
  }

  /** What is done for somebody who may ask. */
  private interface Answer {
    void to(String caller, ServedLog asked, Context context) throws InterruptedException;
  }

  private void answer(Context context, Answer answer) throws InterruptedException {
    try {
      var caller = callers.of(context.req());
      var instance = context.pathParam("instance");
      var asked = served.get(instance);
      if (asked == null) {
        OriginAnswers.refuse(context, HttpStatus.NOT_FOUND, "there is no such instance here");
      } else {
        Callers.check(caller, asked.allowed());
        answer.to(caller, asked, context);
      }
    } catch (RefusedException e) {
      LOGGER.warn("Refused {}: {}", context.req().getRemoteAddr(), e.getMessage());
      OriginAnswers.refuse(context, HttpStatus.FORBIDDEN, e.getMessage());
    } catch (KafkaException e) {
      OriginAnswers.refuse(context, HttpStatus.SERVICE_UNAVAILABLE, e.getMessage());
    }
  }
}
