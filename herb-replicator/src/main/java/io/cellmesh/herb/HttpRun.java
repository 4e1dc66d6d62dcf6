package io.cellmesh.herb;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.peer.PeerAwayException;
import io.cellmesh.deployment.peer.PeerHttp;
import io.cellmesh.deployment.peer.PeerRefusedException;
import io.cellmesh.deployment.wire.Batch;
import io.cellmesh.deployment.wire.BatchProgress;
import io.cellmesh.deployment.wire.DamagedBatchException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries what a peer sends over HTTP, on a thread of its own, until the first failure: takes a
 * batch, writes what there is room for, and at least each second makes sure that all has arrived
 * and writes the place. What waits for room is kept back up to a bound; a partition of which the
 * sink passes nothing is then left out, so that the others go on.
 */
final class HttpRun implements Transport.Run {
  private static final Logger LOG = LoggerFactory.getLogger(HttpRun.class);
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** As much may be kept back of the partitions that are asked for. */
  private static final long MOST_KEPT_BYTES = 2 << 20;

  /** How soon it looks again for room, in milliseconds. */
  private static final long LOOK_MS = 10;

  /** A partition of which the sink passes nothing for so long is left out. */
  private static final Duration STALLED = Duration.ofSeconds(5);

  /** Others are asked for at most so often. */
  private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PeerHttp peer;
  private final HttpCells cells;
  private final MeshWriter writer;
  private final LinkBounds bounds;
  private final MeshWindow window;
  private final KeptBack kept;
  private final PlaceBook places;
  private final Pace pace;
  private final BatchProgress progress;
  private final LogBehind behind = new LogBehind();
  private final Intake intake;
  private final LinkFigures figures;

  /** Of the batch that it waits for; of whoever waits for its failure. */
  private final Silence quiet;

  private final Thread thread;
  private final FirstFailure failure = new FirstFailure();
  private volatile boolean closed;

  /** When it began to wait for the batch that it waits for; 0 while it does something else. */
  private volatile long waitsSince;

  private long settled = System.nanoTime();
  private long askedAt = System.nanoTime();

  /**
   * Starts it.
   *
   * @param cells that were asked for from where the link begins; closed with this one, as are
   *     writer and places
   * @param bounds of its own: the window counts what the writer writes, the stream is read at the
   *     pace
   * @param silence after which a peer that sends nothing is away
   */
  HttpRun(
      LinkBegin begin,
      Topology topology,
      PeerHttp peer,
      HttpCells cells,
      MeshWriter writer,
      LinkBounds bounds,
      PlaceBook places,
      LinkFigures figures,
      Duration silence) {
    this.peer = peer;
    this.cells = cells;
    this.writer = writer;
    this.bounds = bounds;
    this.window = bounds.window();
    this.kept = new KeptBack(window, this::write);
    this.places = places;
    this.pace = bounds.pace();
    this.progress = new BatchProgress(begin.next());
    begin.next().forEach((partition, next) -> behind.at(partition, next, next));
    this.intake = new Intake(begin.terms(), topology.topics(), figures);
    this.figures = figures;
    this.quiet = new Silence(silence);
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
    return behind.records();
  }

  @Override
  public long fetched() {
    return behind.read();
  }

  @Override
  public LinkBounds bounds() {
    return bounds;
  }

  @Override
  public Optional<RuntimeException> awaitFailure(Duration within) throws InterruptedException {
    return failure.await(within).map(this::reason).or(this::silence);
  }

  private Optional<RuntimeException> silence() {
    long since = waitsSince;
    return quiet.lasts(since == 0 ? Double.NaN : since, System.nanoTime())
        ? Optional.of(peer.silent())
        : Optional.empty();
  }

  private RuntimeException reason(Throwable what) {
    if (what instanceof HaltException
        || what instanceof PeerAwayException
        || what instanceof PeerRefusedException
        || what instanceof KafkaException) {
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
      cells.close();
      thread.join(Transport.CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void carry() {
    try {
      while (!closed) {
        release();
        askForOthers();
        if (isToRead()) {
          take(read());
        } else {
          TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
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

  /** What is kept back is looked after meanwhile, so nothing else may take long. */
  private boolean isToRead() throws IOException {
    if (cells.asked().isEmpty()) {
      return false;
    }
    return kept.partitions().isEmpty()
        || kept.bytes(cells.asked()) < MOST_KEPT_BYTES && cells.hasMore();
  }

  /** Leaves out what the sink passes nothing of, where it stops others, until that goes on. */
  private void askForOthers() throws InterruptedException {
    var stalled = window.stalled(STALLED);
    boolean stops =
        stalled.stream().anyMatch(cells.asked()::contains)
            && kept.bytes(cells.asked()) >= MOST_KEPT_BYTES;
    boolean goesOn = !cells.asked().containsAll(without(stalled));
    if ((stops || goesOn) && System.nanoTime() - askedAt >= ASK_NANOS) {
      var next = new TreeMap<>(progress.next());
      next.keySet().removeAll(stalled);
      LOG.info("{}: asks for partitions {}", peer.at(), next.keySet());
      cells.ask(next);
      askedAt = System.nanoTime();
    }
  }

  private Set<Integer> without(Set<Integer> stalled) {
    var others = new HashSet<>(progress.next().keySet());
    others.removeAll(stalled);
    return others;
  }

  private Batch read() throws IOException {
    long before = cells.bytes();
    waitsSince = System.nanoTime();
    try {
      return cells.read();
    } finally {
      waitsSince = 0;
      pace.took(cells.bytes() - before);
    }
  }

  private void take(Batch batch) {
    progress.check(batch);
    long now = Clock.systemUTC().millis();
    for (var record : batch.records()) {
      intake
          .take(record, now)
          .ifPresent(out -> kept.write(record.partition(), record.offset(), out));
    }
    if (batch.newest() != Batch.NONE) {
      figures.lag(now - batch.newest());
    }
    batch.others().forEach(intake::left);
    progress.advance(batch);
    for (var stretch : batch.stretches()) {
      noteBehind(stretch.partition(), stretch.next(), stretch.end());
    }
  }

  private void release() {
    var waiting = kept.partitions();
    if (!waiting.isEmpty()) {
      kept.release();
      var next = progress.next();
      waiting.forEach(partition -> noteBehind(partition, next.get(partition), 0));
    }
  }

  /** What is kept back is still to be brought: a backlog is no shorter for having come here. */
  private void noteBehind(int partition, long next, long end) {
    behind.at(partition, kept.first(partition).orElse(next), end);
  }

  private void write(ProducerRecord<byte[], byte[]> record) {
    writer.write(record);
    intake.written(record);
  }

  /** The place is written behind the cells, and stays before what is kept back. */
  private void settle() {
    var changed = new TreeMap<>(progress.unwritten());
    changed.replaceAll((partition, next) -> kept.first(partition).orElse(next));
    if (!changed.isEmpty()) {
      writer.flush();
      places.write(changed);
      progress.written(kept.partitions());
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
