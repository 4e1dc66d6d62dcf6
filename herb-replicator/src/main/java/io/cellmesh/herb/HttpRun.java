package io.cellmesh.herb;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.peer.PeerHttp;
import io.cellmesh.deployment.wire.Batch;
import io.cellmesh.deployment.wire.BatchProgress;
import io.cellmesh.deployment.wire.BatchReader;
import io.cellmesh.deployment.wire.DamagedBatchException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries what a peer sends over HTTP, on a thread of its own, until the first failure: takes a
 * batch, writes it, and at least each second makes sure that all has arrived and writes the place.
 */
final class HttpRun implements Transport.Run {
  private static final Logger LOG = LoggerFactory.getLogger(HttpRun.class);
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PeerHttp peer;
  private final InputStream stream;
  private final BatchReader reader;
  private final MeshWriter writer;
  private final PlaceBook places;
  private final Pace pace;
  private final BatchProgress progress;
  private final Intake intake;
  private final LinkFigures figures;
  private final Duration silence;
  private final Thread thread;
  private final FirstFailure failure = new FirstFailure();
  private volatile boolean closed;

  /** When it began to wait for the batch that it waits for; 0 while it does something else. */
  private volatile long waitsSince;

  private long settled = System.nanoTime();

  /**
   * Starts it.
   *
   * @param stream of batches from where the link begins; closed with this one, as are writer and
   *     places
   * @param pace that the stream is read at
   * @param silence after which a peer that sends nothing is away
   */
  HttpRun(
      LinkBegin begin,
      Topology topology,
      PeerHttp peer,
      InputStream stream,
      MeshWriter writer,
      PlaceBook places,
      Pace pace,
      LinkFigures figures,
      Duration silence) {
    this.peer = peer;
    this.stream = stream;
    this.reader = new BatchReader(stream, topology.topics().log());
    this.writer = writer;
    this.places = places;
    this.pace = pace;
    this.progress = new BatchProgress(begin.next());
    this.intake = new Intake(begin.terms(), topology.topics(), figures);
    this.figures = figures;
    this.silence = silence;
    this.thread =
        new Thread(
            this::carry, "link-http-%s-%s".formatted(topology.instance(), begin.terms().peer()));
    thread.start();
  }

  @Override
  public boolean isRunning() {
    return !failure.isThere();
  }

  @Override
  public long behind() {
    return progress.behind();
  }

  @Override
  public Optional<RuntimeException> awaitFailure(Duration within) throws InterruptedException {
    return failure.await(within).map(this::reason).or(this::silence);
  }

  private Optional<RuntimeException> silence() {
    long since = waitsSince;
    return since != 0 && System.nanoTime() - since > silence.toNanos()
        ? Optional.of(
            peer.away(new IOException("nothing came for %d s".formatted(silence.toSeconds()))))
        : Optional.empty();
  }

  private RuntimeException reason(Throwable what) {
    if (what instanceof HaltException || what instanceof KafkaException) {
      return (RuntimeException) what;
    }
    if (what instanceof IOException cut && !(what instanceof DamagedBatchException)) {
      return peer.away(cut);
    }
    var root = what;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return new IllegalStateException(root.toString(), what);
  }

  @Override
  public void close() {
    closed = true;
    pace.end();
    // Each is closed, the writer first, whatever another one throws and whoever interrupts.
    try (places;
        writer) {
      closeStream();
      thread.join(Transport.CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeStream() {
    try {
      stream.close();
    } catch (IOException e) {
      LOG.debug("A stream that was cut can't be closed", e);
    }
  }

  private void carry() {
    try {
      while (!closed) {
        take(read());
        // However long the pace has the next batch wait, the place is not kept later for it.
        if (System.nanoTime() + pace.left() - settled >= SETTLE_NANOS) {
          settle();
        }
        pace.await();
      }
    } catch (Throwable e) {
      failure.note(e);
    } finally {
      failure.note(new IllegalStateException("closed"));
      leave();
    }
  }

  private Batch read() throws IOException {
    long before = reader.bytes();
    waitsSince = System.nanoTime();
    try {
      return reader.next().orElseThrow(() -> new EOFException("the stream has ended"));
    } finally {
      waitsSince = 0;
      pace.took(reader.bytes() - before);
    }
  }

  private void take(Batch batch) {
    progress.check(batch);
    long now = Clock.systemUTC().millis();
    for (var record : batch.records()) {
      intake.take(record, now).ifPresent(writer::write);
    }
    if (batch.newest() != Batch.NONE) {
      figures.lag(now - batch.newest());
    }
    batch.others().forEach(intake::left);
    progress.advance(batch);
  }

  /** The place is written behind the cells. */
  private void settle() {
    var changed = progress.unwritten();
    if (!changed.isEmpty()) {
      writer.flush();
      places.write(changed);
      progress.written();
    }
    settled = System.nanoTime();
  }

  /** What has come is kept, where that can be done; else it comes again. */
  private void leave() {
    try {
      settle();
    } catch (RuntimeException e) {
      LOG.debug("The last place was not written", e);
    }
  }
}
