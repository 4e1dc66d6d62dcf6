package io.cellmesh.herb;

import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.SeedMark;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.SeedTopic;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Carries a peer's seed, on a thread of its own, until all partitions have come to their ends: then
 * it fails with {@link SeedReadException}, and the link's place is where the log goes on. What was
 * written stands in the mesh topic before the place says so.
 */
final class SeedRun implements Transport.Run {
  private static final Duration POLL = Duration.ofSeconds(1);

  /** How soon it looks again for room, where partitions wait for it. */
  private static final Duration LOOK = Duration.ofMillis(20);

  private final LinkBegin begin;
  private final LinkSeed seed;
  private final Consumer<byte[], byte[]> consumer;
  private final MeshWriter writer;
  private final MeshPlaces.Writer places;
  private final Pace pace;
  private final MeshWindow window;
  private final Intake intake;
  private final Thread thread;
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private final Set<TopicPartition> open = new HashSet<>();
  private volatile boolean closed;
  private volatile long behind;

  /**
   * Starts it.
   *
   * @param begin with a seed
   * @param topic that has it
   * @param consumer closed with this one, as are writer and places
   * @param pace that the seed is read at
   * @param window of its own, which a poll may exceed
   */
  SeedRun(
      LinkBegin begin,
      Topology topology,
      String topic,
      Consumer<byte[], byte[]> consumer,
      MeshWriter writer,
      MeshPlaces.Writer places,
      Pace pace,
      MeshWindow window,
      LinkFigures figures) {
    this.begin = begin;
    this.seed = begin.seed().orElseThrow();
    this.consumer = consumer;
    this.writer = writer;
    this.places = places;
    this.pace = pace;
    this.window = window;
    this.intake = new Intake(begin.terms(), topology.topics(), figures);
    seed.next().keySet().forEach(partition -> open.add(new TopicPartition(topic, partition)));
    this.thread =
        new Thread(
            this::carry, "link-seed-%s-%s".formatted(topology.instance(), begin.terms().peer()));
    thread.start();
  }

  @Override
  public boolean isRunning() {
    return !failure.isDone();
  }

  @Override
  public long behind() {
    return behind;
  }

  @Override
  public MeshWindow.State window() {
    return window.state();
  }

  @Override
  public Optional<RuntimeException> awaitFailure(Duration within) throws InterruptedException {
    try {
      return Optional.of(reason(failure.get(within.toMillis(), TimeUnit.MILLISECONDS)));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RuntimeException reason(Throwable what) {
    return what instanceof HaltException
            || what instanceof SeedReadException
            || what instanceof KafkaException
        ? (RuntimeException) what
        : new IllegalStateException(what.toString(), what);
  }

  @Override
  public void close() {
    closed = true;
    pace.end();
    consumer.wakeup();
    try {
      thread.join(Transport.CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      writer.close();
      places.close();
    }
  }

  private void carry() {
    try (consumer) {
      consumer.assign(open);
      open.forEach(at -> consumer.seek(at, seed.next().get(at.partition())));
      while (!closed && !open.isEmpty()) {
        step();
        pace.await();
      }
      failure.complete(
          open.isEmpty() ? new SeedReadException() : new IllegalStateException("closed"));
    } catch (Throwable e) {
      failure.complete(e);
    }
  }

  /** The place is written behind the cells. */
  private void step() {
    var polled = consumer.poll(pauseWhatIsFull() ? LOOK : POLL);
    var ended = new HashSet<TopicPartition>();
    for (var at : polled.partitions()) {
      if (take(polled.records(at))) {
        ended.add(at);
      }
    }
    if (!polled.isEmpty()) {
      writer.flush();
      places.write(values(polled.partitions(), ended));
      consumer.pause(ended);
      open.removeAll(ended);
    }
    behind = open.stream().mapToLong(at -> consumer.currentLag(at).orElse(0)).sum();
  }

  /** Whether some partition waits for room. */
  private boolean pauseWhatIsFull() {
    var full =
        open.stream()
            .filter(at -> !window.hasRoom(at.partition(), window.portion()))
            .collect(Collectors.toSet());
    consumer.pause(full);
    consumer.resume(open.stream().filter(at -> !full.contains(at)).toList());
    return !full.isEmpty();
  }

  /** Whether its end is among them; what stands behind that is no more of it. */
  private boolean take(List<ConsumerRecord<byte[], byte[]>> records) {
    long now = Clock.systemUTC().millis();
    for (var record : records) {
      pace.took(SetAside.size(record));
      var mark = SeedTopic.mark(record);
      if (mark.filter(SeedMark::end).isPresent()) {
        return true;
      }
      if (mark.isEmpty()) {
        intake.take(record, now).ifPresent(writer::write);
      }
    }
    return false;
  }

  private Map<String, String> values(Set<TopicPartition> read, Set<TopicPartition> ended) {
    var peer = begin.terms().peer();
    var values = new HashMap<String, String>();
    for (var at : read) {
      int partition = at.partition();
      if (ended.contains(at)) {
        long next = seed.log().get(partition);
        values.put(MeshPlace.key(peer, partition), new MeshPlace(begin.log(), next).toJson());
        values.put(MeshPlace.seedKey(peer, partition), null);
      } else {
        values.put(
            MeshPlace.seedKey(peer, partition),
            new MeshPlace(seed.id(), consumer.position(at)).toJson());
      }
    }
    return values;
  }
}
