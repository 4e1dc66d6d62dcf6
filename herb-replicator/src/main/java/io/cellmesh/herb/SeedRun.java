package io.cellmesh.herb;

import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.SeedMark;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.SeedTopic;
import io.cellmesh.deployment.peer.PeerAwayException;
import io.cellmesh.deployment.peer.PeerRefusedException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Carries a peer's seed, on a thread of its own, until all partitions have come to their ends: then
 * it fails with {@link SeedReadException}, and the link's place is where the log goes on. What was
 * written stands in the mesh topic before the place says so.
 */
final class SeedRun implements Transport.Run {
  private final LinkBegin begin;
  private final LinkSeed seed;
  private final SeedReader reader;
  private final MeshWriter writer;
  private final MeshPlaces.Writer places;
  private final Pace pace;
  private final Duration silence;
  private final LinkBounds bounds;
  private final MeshWindow window;
  private final Intake intake;
  private final Thread thread;
  private final FirstFailure failure = new FirstFailure();
  private final Set<Integer> open;
  private long heardAt = System.nanoTime();
  private volatile boolean closed;
  private volatile long behind;

  /**
   * Starts it.
   *
   * @param begin with a seed
   * @param reader of the seed; closed with this one, as are writer and places
   * @param bounds of its own; a poll may exceed the window
   * @param silence after which a peer is away from which nothing of it comes
   */
  SeedRun(
      LinkBegin begin,
      Topology topology,
      SeedReader reader,
      MeshWriter writer,
      MeshPlaces.Writer places,
      LinkBounds bounds,
      LinkFigures figures,
      Duration silence) {
    this.begin = begin;
    this.seed = begin.seed().orElseThrow();
    this.reader = reader;
    this.writer = writer;
    this.places = places;
    this.bounds = bounds;
    this.pace = bounds.pace();
    this.silence = silence;
    this.window = bounds.window();
    this.intake = new Intake(begin.terms(), topology.topics(), figures);
    this.open = new HashSet<>(seed.next().keySet());
    this.thread =
        new Thread(
            this::carry, "link-seed-%s-%s".formatted(topology.instance(), begin.terms().peer()));
    thread.start();
  }

  @Override
  public boolean isRunning() {
    return !failure.isThere();
  }

  @Override
  public long behind() {
    return behind;
  }

  /** A seed has cells of the peer alone. */
  @Override
  public long fetched() {
    return 0;
  }

  @Override
  public LinkBounds bounds() {
    return bounds;
  }

  @Override
  public Optional<RuntimeException> awaitFailure(Duration within) throws InterruptedException {
    return failure.await(within).map(SeedRun::reason);
  }

  private static RuntimeException reason(Throwable what) {
    return what instanceof HaltException
            || what instanceof SeedReadException
            || what instanceof PeerAwayException
            || what instanceof PeerRefusedException
            || what instanceof KafkaException
        ? (RuntimeException) what
        : new IllegalStateException(what.toString(), what);
  }

  @Override
  public void close() {
    closed = true;
    pace.end();
    reader.wakeup();
    // Each is closed, the writer first, whatever another one throws and whoever interrupts.
    try (places;
        writer) {
      thread.join(Transport.CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void carry() {
    try (reader) {
      while (!closed && !open.isEmpty()) {
        step();
        heardAt += pace.left();
        pace.await();
      }
      failure.note(open.isEmpty() ? new SeedReadException() : new IllegalStateException("closed"));
    } catch (Throwable e) {
      failure.note(e);
    }
  }

  /** The place is written behind the cells. */
  private void step() throws InterruptedException {
    var full = full();
    var polled = reader.poll(full);
    var ended = new HashSet<Integer>();
    for (var read : polled.entrySet()) {
      if (take(read.getValue())) {
        ended.add(read.getKey());
      }
    }
    if (!polled.isEmpty()) {
      writer.flush();
      places.write(values(polled.keySet(), ended));
      ended.forEach(reader::leave);
      open.removeAll(ended);
    }
    checkSilence(polled.isEmpty() && full.isEmpty());
    behind = reader.behind();
  }

  /** Until its end there is more of it, and Kafka's client asks on for ever without an answer. */
  private void checkSilence(boolean nothing) {
    long now = System.nanoTime();
    if (!nothing) {
      heardAt = now;
    } else if (now - heardAt > silence.toNanos()) {
      throw new TimeoutException(
          "nothing of the seed came for %d s, and its end has not".formatted(silence.toSeconds()));
    }
  }

  /** The partitions that wait for room. */
  private Set<Integer> full() {
    return open.stream()
        .filter(partition -> !window.hasRoom(partition, window.portion()))
        .collect(Collectors.toSet());
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
        intake.take(record, now).ifPresent(this::write);
      }
    }
    return false;
  }

  private void write(ProducerRecord<byte[], byte[]> record) {
    writer.write(record);
    intake.written(record);
  }

  private Map<String, String> values(Set<Integer> read, Set<Integer> ended) {
    var peer = begin.terms().peer();
    var values = new HashMap<String, String>();
    for (int partition : read) {
      if (ended.contains(partition)) {
        long next = seed.log().get(partition);
        values.put(MeshPlace.key(peer, partition), new MeshPlace(begin.log(), next).toJson());
        values.put(MeshPlace.seedKey(peer, partition), null);
      } else {
        values.put(
            MeshPlace.seedKey(peer, partition),
            new MeshPlace(seed.id(), reader.position(partition)).toJson());
      }
    }
    return values;
  }
}
