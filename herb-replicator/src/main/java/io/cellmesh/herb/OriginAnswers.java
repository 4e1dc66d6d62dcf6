package io.cellmesh.herb;

import io.cellmesh.cell.RememberedLog;
import io.cellmesh.deployment.peer.LogAnswer;
import io.cellmesh.deployment.peer.LogQuestion;
import io.cellmesh.deployment.peer.PeerHttp;
import io.cellmesh.deployment.peer.SeedAnswer;
import io.cellmesh.deployment.wire.BatchWriter;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is sent to a peer that may read: its own cells without end, and what goes with them. */
final class OriginAnswers {
  private static final Logger LOGGER = LoggerFactory.getLogger(OriginAnswers.class);
  private static final Duration PROGRESS = Duration.ofSeconds(1);

  /** An answer that ends does so with the record that fills as much; the peer asks again. */
  private static final long MOST_ANSWER_BYTES = 4 << 20;

  /** For an answer that ends, and of which Kafka gives no more. */
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(20);

  /** A peer that lost its connection asks again before the old one is seen to be dead. */
  private static final int MOST_STREAMS = 4;

  private final Map<String, Integer> streams = new ConcurrentHashMap<>();
  private final Predicate<ServedLog> goesOn;

  /**
   * @param goesOn whether what was asked for is still served so
   */
  OriginAnswers(Predicate<ServedLog> goesOn) {
    this.goesOn = goesOn;
  }

  void describe(String caller, ServedLog asked, Context context) throws InterruptedException {
    json(context, asked.log().describe().toJson());
  }

  void describeCheckpoints(String caller, ServedLog asked, Context context)
      throws InterruptedException {
    json(context, asked.log().describeCheckpoints().toJson());
  }

  void describeSeed(String caller, ServedLog asked, Context context) throws InterruptedException {
    json(context, new SeedAnswer(asked.log().seed(caller)).toJson());
  }

  private static void json(Context context, String text) {
    context.contentType("application/json").result(text);
  }

  void cells(String caller, ServedLog asked, Context context) throws InterruptedException {
    var log = asked.log();
    var question = question(context, log, next -> !next.isEmpty() && allOf(log).containsAll(next));
    if (question.isEmpty()
        || !isOf(question.get(), log.describe().log(), "the log of " + log.instance(), context)) {
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

  void checkpoints(String caller, ServedLog asked, Context context) throws InterruptedException {
    var log = asked.log();
    var question = question(context, log, allOf(log)::equals);
    if (question.isEmpty()) {
      return;
    }
    finite(
        caller,
        "the proof of " + log.instance(),
        question.get(),
        log.describeCheckpoints(),
        () -> log.checkpoints(caller, question.get().next()),
        asked,
        context);
  }

  void seed(String caller, ServedLog asked, Context context) throws InterruptedException {
    var log = asked.log();
    var question = question(context, log, allOf(log)::containsAll);
    if (question.isEmpty()) {
      return;
    }
    finite(
        caller,
        "the seed of %s for it".formatted(log.instance()),
        question.get(),
        log.describeSeed(caller),
        () -> log.seed(caller, question.get().next()),
        asked,
        context);
  }

  /** Sends what a topic has from the question's place to its end of now, or the beginning of it. */
  private void finite(
      String caller,
      String what,
      LogQuestion question,
      LogAnswer topic,
      Supplier<TopicBatches> batches,
      ServedLog asked,
      Context context) {
    if (isOf(question, topic.log(), what, context)) {
      var ends = new HashMap<Integer, Long>();
      question.next().keySet().forEach(p -> ends.put(p, topic.ends().get(p)));
      send(caller, what, batches, context, found -> upTo(ends, found, asked, context));
    }
  }

  /** What is asked for, once it names the right partitions; else that is said. */
  private static Optional<LogQuestion> question(
      Context context, OwnLog log, Predicate<Set<Integer>> partitions) {
    var question =
        LogQuestion.parse(context.body()).filter(asked -> partitions.test(asked.next().keySet()));
    if (question.isEmpty()) {
      refuse(
          context,
          HttpStatus.BAD_REQUEST,
          "next must name an offset of each partition that is wanted, of 0 to %d"
              .formatted(log.partitions() - 1));
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
          "%s is %s, not %s".formatted(what, topic.toJson(), question.log().toJson()));
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
      send(caller, what, batches, sending);
    } finally {
      streams.merge(key, -1, Integer::sum);
    }
  }

  private static void send(String caller, String what, TopicBatches batches, Sending sending) {
    try {
      sending.of(batches);
    } catch (IOException e) {
      LOGGER.info("{} no longer reads {}: {}", caller, what, e.toString());
    } catch (KafkaException e) {
      // Whoever reads sees an end, and asks again.
      LOGGER.warn("{} reads {} no further", caller, what, e);
    }
  }

  private void stream(TopicBatches cells, ServedLog asked, Context context) throws IOException {
    var out = context.res().getOutputStream();
    context.res().flushBuffer();
    while (goesOn.test(asked)) {
      for (var batch : cells.poll(PROGRESS)) {
        out.write(BatchWriter.write(batch));
      }
      out.flush();
    }
  }

  private void upTo(Map<Integer, Long> ends, TopicBatches batches, ServedLog asked, Context context)
      throws IOException {
    var out = context.res().getOutputStream();
    long sent = 0;
    long begun = System.nanoTime();
    while (goesOn.test(asked)
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

  /** Says in words why there is no answer. */
  static void refuse(Context context, HttpStatus status, String why) {
    context.status(status).contentType("text/plain; charset=utf-8").result(why);
  }
}
