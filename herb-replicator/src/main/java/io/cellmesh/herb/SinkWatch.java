package io.cellmesh.herb;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MissingRightException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks how far the sink of this data centre has committed the mesh topic, for all links of an
 * instance: all partitions at once, and only while some link has filled half of a window. It has a
 * client no longer than that, and a thread only while it asks. Thread-safe.
 */
final class SinkWatch implements Part, SinkPlace {
  private static final Logger LOG = LoggerFactory.getLogger(SinkWatch.class);

  /** At least between two questions to a sink that goes on. */
  private static final int PAUSE_MS = 50;

  /** To one that has not gone on for some time. */
  private static final long LONG_PAUSE_MS = 1_000;

  private static final long SOME_TIME_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Nobody has asked for so long: it ends until somebody does. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final KafkaAccess kafka;
  private final String group;
  private final String topic;
  private final List<TopicPartition> partitions;

  private final String cells;

  /** And those of own cells. */
  private final List<TopicPartition> all;

  /** All; without own cells' in a run to which their places are not told. */
  private volatile List<TopicPartition> asked;

  private final int size;
  private final int pause;
  private volatile Map<Integer, Long> passed = Map.of();
  private volatile long own;
  private final SharedTurns turns;
  private volatile long wanted;

  /** When what was heard was other than before; for whoever has the turn. */
  private long changed;

  /** Whether a turn is under way or will come. */
  private boolean asking;

  private Optional<Admin> client = Optional.empty();
  private boolean ended;
  private String told = "";
  private volatile boolean ownRefused;

  /**
   * @param kafka of this data centre
   * @param size of the links' windows
   * @param linger milliseconds that links wait for more cells: it asks no more often
   * @param turns in which it asks
   */
  SinkWatch(
      KafkaAccess kafka, Topics topics, Shards shards, int size, int linger, SharedTurns turns) {
    this.kafka = kafka;
    this.turns = turns;
    this.group = InstanceNames.cellSink(topics.instance());
    this.topic = topics.mesh();
    this.partitions = partitions(topic, shards);
    this.cells = topics.cells();
    this.all = Stream.concat(partitions.stream(), partitions(cells, shards).stream()).toList();
    this.asked = all;
    this.size = size;
    this.pause = Math.max(PAUSE_MS, linger);
  }

  /**
   * Makes the window of a run.
   *
   * @throws KafkaException if Kafka does not answer
   */
  MeshWindow window() throws InterruptedException {
    try (var admin = KafkaAnswer.admin(kafka)) {
      asked = all;
      look(admin);
      var question =
          partitions.stream()
              .collect(Collectors.toMap(Function.identity(), at -> OffsetSpec.latest()));
      var ends = new HashMap<Integer, Long>();
      KafkaAnswer.of(admin.listOffsets(question).all(), topic, kafka)
          .forEach((at, end) -> ends.put(at.partition(), end.offset()));
      return new MeshWindow(topic, size, this, ends, System::nanoTime);
    }
  }

  private static List<TopicPartition> partitions(String topic, Shards shards) {
    return IntStream.range(0, shards.partitions())
        .mapToObj(partition -> new TopicPartition(topic, partition))
        .toList();
  }

  @Override
  public OptionalLong own() {
    return ownRefused ? OptionalLong.empty() : OptionalLong.of(own);
  }

  @Override
  public OptionalLong passed(int partition) {
    var next = passed.get(partition);
    return next == null ? OptionalLong.empty() : OptionalLong.of(next);
  }

  @Override
  public void ask() {
    wanted = System.nanoTime();
    begin();
  }

  /** Nothing to begin before somebody asks. */
  @Override
  public void start() {
    // See ask().
  }

  /** A question that is under way fails at once. */
  @Override
  public synchronized void end() {
    ended = true;
    close();
  }

  @Override
  public synchronized boolean awaitEnd(Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    for (long left = atMost.toNanos(); asking && left > 0; left = deadline - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return !asking;
  }

  private synchronized void begin() {
    if (!asking && !ended) {
      asking = true;
      changed = System.nanoTime();
      turns.now(this::turn);
    }
  }

  /** Asks once, and has itself called again. */
  private void turn() {
    if (!isWanted()) {
      return;
    }
    var before = passed;
    attempt();
    long now = System.nanoTime();
    changed = passed.equals(before) ? changed : now;
    turns.after(
        Duration.ofMillis(now - changed < SOME_TIME_NANOS ? pause : LONG_PAUSE_MS), this::turn);
  }

  /** Whoever asks from here on begins anew. */
  private synchronized boolean isWanted() {
    boolean is = !ended && System.nanoTime() - wanted < IDLE_NANOS;
    if (!is) {
      close();
      asking = false;
      notifyAll();
    }
    return is;
  }

  /** Opened without the lock, which links take: to find a server's address may take long. */
  private Optional<Admin> client() {
    var known = known();
    return known.isPresent() ? known : take(KafkaAnswer.admin(kafka));
  }

  private synchronized Optional<Admin> known() {
    return client;
  }

  private synchronized Optional<Admin> take(Admin opened) {
    if (ended) {
      opened.close(Duration.ZERO);
    } else {
      client = Optional.of(opened);
    }
    return client;
  }

  private synchronized void close() {
    client.ifPresent(open -> open.close(Duration.ZERO));
    client = Optional.empty();
  }

  /** While Kafka does not answer what was heard last counts. */
  private void attempt() {
    try {
      var admin = client();
      if (admin.isPresent()) {
        look(admin.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      // Whatever it is, links would wait for ever for whoever does not ask again.
      LOG.debug("How far {} is can't be asked for now", group, e);
    }
  }

  private void look(Admin admin) throws InterruptedException {
    var sought = asked;
    var question = Map.of(group, new ListConsumerGroupOffsetsSpec().topicPartitions(sought));
    try {
      var found = new HashMap<Integer, Long>();
      long ownFound = 0;
      var answer =
          KafkaAnswer.of(
              admin.listConsumerGroupOffsets(question).partitionsToOffsetAndMetadata(group),
              topic,
              kafka);
      for (var entry : answer.entrySet()) {
        if (entry.getValue() != null) {
          long offset = entry.getValue().offset();
          if (entry.getKey().topic().equals(topic)) {
            found.put(entry.getKey().partition(), offset);
          } else {
            ownFound += offset;
          }
        }
      }
      // Whoever sees what it has passed must know who else came until then.
      own = ownFound;
      checkOwn(sought, answer.keySet());
      passed = Map.copyOf(found);
      tell(found.isEmpty() ? "no sink has committed anything in group " + group : "");
    } catch (KafkaException e) {
      var refusal = MissingRightException.refusalIn(e);
      if (refusal.isEmpty()) {
        throw e;
      }
      passed = Map.of();
      tell(
          MissingRightException.of(kafka, "Describe", "group " + group, refusal.get())
              .inRole(LinkRights.ROLE)
              .getMessage());
    }
  }

  /** Kafka leaves out, and warns of each time, what nobody may ask for: a run asks once. */
  private void checkOwn(List<TopicPartition> sought, Set<TopicPartition> answered) {
    if (answered.containsAll(all)) {
      ownRefused = false;
    } else if (!answered.containsAll(sought)) {
      asked = partitions;
      if (!ownRefused) {
        LOG.warn(
            "{}: links don't see whether own cells come, so a peer's backlog may take more than its share: {}",
            topic,
            MissingRightException.of(
                    kafka, "Describe", new TopicAuthorizationException(Set.of(cells)))
                .inRole(LinkRights.ROLE)
                .getMessage());
      }
      ownRefused = true;
    }
  }

  /** Says once why links bring all that comes. */
  private synchronized void tell(String why) {
    if (!why.isEmpty() && !why.equals(told)) {
      LOG.warn("{}: links wait for no sink, so a peer's backlog delays others: {}", topic, why);
    }
    told = why;
  }
}
