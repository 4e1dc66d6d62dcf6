package io.cellmesh.herb;

import io.cellmesh.cell.RememberedLog;
import io.cellmesh.deployment.peer.LogQuestion;
import io.cellmesh.deployment.peer.PeerHttp;
import io.cellmesh.deployment.peer.SeedAnswer;
import io.cellmesh.deployment.wire.BatchWriter;
import io.cellmesh.herb.Callers.RefusedException;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
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
  private static final Logger LOGGER = LoggerFactory.getLogger(OriginServer.class);
  private static final Duration PROGRESS = Duration.ofSeconds(1);

  /** Each stream has one; there are no more than are needed. */
  private static final int MOST_THREADS = 2_000;

  private static final int MOST_QUESTION_BYTES = 1 << 20;

  /** An answer that ends does so with the record that fills as much; the peer asks again. */
  private static final long MOST_ANSWER_BYTES = 4 << 20;

  /** For an answer that ends, and of which Kafka gives no more. */
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(20);

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
              config.routes.get(PeerHttp.LOG, context -> answer(context, this::describe));
              config.routes.post(PeerHttp.CELLS, context -> answer(context, this::cells));
              config.routes.get(
                  PeerHttp.CHECKPOINTS, context -> answer(context, this::describeCheckpoints));
              config.routes.post(
                  PeerHttp.CHECKPOINTS, context -> answer(context, this::checkpoints));
              config.routes.get(PeerHttp.SEED, context -> answer(context, this::describeSeed));
              config.routes.post(PeerHttp.SEED, context -> answer(context, this::seed));
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
    json(context, asked.log().describe().toJson());
  }

  private void describeCheckpoints(String caller, Served asked, Context context)
      throws InterruptedException {
    json(context, asked.log().describeCheckpoints().toJson());
  }

  private void describeSeed(String caller, Served asked, Context context)
      throws InterruptedException {
    json(context, new SeedAnswer(asked.log().seed(caller)).toJson());
  }

  private static void json(Context context, String text) {
    context.contentType("application/json").result(text);
  }

  private void cells(String caller, Served asked, Context context) throws InterruptedException {
    var log = asked.log();
    var question = question(context, allOf(log)::equals);
    if (question.isEmpty() || !isOf(question.get(), log.describe().log(), "log", context)) {
      return;
    }
    send(
        caller,
        "the log of " + log.instance(),
        () -> log.open(question.get().next()),
        context,
        cells -> {
          LOGGER.info("{} reads the log of {}", caller, log.instance());
          stream(cells, asked, context);
        });
  }

  private void checkpoints(String caller, Served asked, Context context)
      throws InterruptedException {
    var log = asked.log();
    var question = question(context, allOf(log)::equals);
    if (question.isEmpty()) {
      return;
    }
    var described = log.describeCheckpoints();
    if (isOf(question.get(), described.log(), "proof", context)) {
      var ends = new HashMap<Integer, Long>();
      question.get().next().keySet().forEach(p -> ends.put(p, described.ends().get(p)));
      send(
          caller,
          "the proof of " + log.instance(),
          () -> log.checkpoints(caller, question.get().next()),
          context,
          batches -> upTo(ends, batches, context));
    }
  }

  private void seed(String caller, Served asked, Context context) throws InterruptedException {
    var log = asked.log();
    var question = question(context, allOf(log)::containsAll);
    if (question.isEmpty()) {
      return;
    }
    var seed = log.seed(caller);
    if (seed.isEmpty()) {
      refuse(context, HttpStatus.CONFLICT, "there is no seed for %s any more".formatted(caller));
    } else if (isOf(question.get(), seed.get().id(), "seed", context)) {
      var ends = new HashMap<Integer, Long>();
      question.get().next().keySet().forEach(p -> ends.put(p, seed.get().parts().get(p).end()));
      send(
          caller,
          "the seed of %s for it".formatted(log.instance()),
          () -> log.seed(caller, question.get().next()),
          context,
          batches -> upTo(ends, batches, context));
    }
  }

  /** What is asked for, once it names the right partitions; else that is said. */
  private static Optional<LogQuestion> question(
      Context context, Predicate<Set<Integer>> partitions) {
    var question =
        LogQuestion.parse(context.body()).filter(asked -> partitions.test(asked.next().keySet()));
    if (question.isEmpty()) {
      refuse(context, HttpStatus.BAD_REQUEST, "next must name an offset of every partition");
    }
    return question;
  }

  private static Set<Integer> allOf(OwnLog log) {
    return IntStream.range(0, log.partitions()).boxed().collect(Collectors.toSet());
  }

  /** Whether a question is of the topic that there is; else that is said. */
  private static boolean isOf(
      LogQuestion question, RememberedLog topic, String what, Context context) {
    boolean same = question.log().equals(topic);
    if (!same) {
      refuse(
          context,
          HttpStatus.CONFLICT,
          "the %s of %s is %s, not %s"
              .formatted(
                  what, context.pathParam("instance"), topic.toJson(), question.log().toJson()));
    }
    return same;
  }

  /** What is sent of a topic. */
  private interface Sending {
    void of(TopicBatches batches) throws IOException;
  }

  private void send(
      String caller, String what, Supplier<TopicBatches> topic, Context context, Sending sending) {
    var key = caller + " " + what;
    if (streams.merge(key, 1, Integer::sum) > MOST_STREAMS) {
      streams.merge(key, -1, Integer::sum);
      refuse(context, HttpStatus.TOO_MANY_REQUESTS, "%s reads already".formatted(caller));
      return;
    }
    try (var batches = topic.get()) {
      context.res().setContentType(PeerHttp.CONTENT_TYPE);
      sending.of(batches);
    } catch (IOException e) {
      LOGGER.info("{} no longer reads {}: {}", caller, what, e.toString());
    } catch (KafkaException e) {
      // Whoever reads sees an end, and asks again.
      LOGGER.warn("{} reads {} no further", caller, what, e);
    } finally {
      streams.merge(key, -1, Integer::sum);
    }
  }

  private void stream(TopicBatches cells, Served asked, Context context) throws IOException {
    var out = context.res().getOutputStream();
    context.res().flushBuffer();
    while (!closed && asked.equals(served.get(asked.log().instance()))) {
      for (var batch : cells.poll(PROGRESS)) {
        out.write(BatchWriter.write(batch));
      }
      out.flush();
    }
  }

  private void upTo(Map<Integer, Long> ends, TopicBatches batches, Context context)
      throws IOException {
    var out = context.res().getOutputStream();
    long sent = 0;
    long begun = System.nanoTime();
    while (!closed
        && sent < MOST_ANSWER_BYTES
        && System.nanoTime() - begun < LONGEST_ANSWER.toNanos()
        && !batches.hasReached(ends)) {
      for (var batch : batches.poll(PROGRESS)) {
        var frame = BatchWriter.write(batch);
        out.write(frame);
        sent += frame.length;
      }
    }
  }

  private static void refuse(Context context, HttpStatus status, String why) {
    context.status(status).contentType("text/plain; charset=utf-8").result(why);
  }
}
