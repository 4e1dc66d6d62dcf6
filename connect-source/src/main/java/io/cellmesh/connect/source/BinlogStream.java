package io.cellmesh.connect.source;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Debezium's records from one server, through whatever happens to the connection.
 *
 * <p>A Debezium task that has lost its connection is thrown away and another one takes over at the
 * {@link ResumePoint}. What the old one had read and not yet handed out is read again, so nothing
 * is lost in between, and nothing that was handed out comes twice.
 *
 * <p>{@link #stop} may be called by another thread at any time.
 */
final class BinlogStream {
  private static final Logger LOG = LoggerFactory.getLogger(BinlogStream.class);

  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final Duration CREATION_PATIENCE = Duration.ofSeconds(60);
  private static final Duration LONGEST_WAIT_IN_POLL = Duration.ofMillis(500);

  private final Map<String, String> settings;
  private final SourceTaskContext context;
  private final ResumePoint resumePoint;
  private final BinlogServer server;
  private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicReference<BinlogTask> task = new AtomicReference<>();
  private final long created = System.nanoTime();
  private Pulse pulse = new Pulse(SILENCE, System::nanoTime);
  private long nextAttempt = created;
  private boolean away;

  BinlogStream(
      Map<String, String> settings,
      SourceTaskContext context,
      ResumePoint resumePoint,
      BinlogServer server) {
    this.settings = settings;
    this.context = new ResumingContext(context, resumePoint);
    this.resumePoint = resumePoint;
    this.server = server;
  }

  /**
   * The next records; none while the server is away.
   *
   * @throws ConnectException if trying again can't help
   */
  List<SourceRecord> poll() throws InterruptedException {
    try {
      var reading = task.get();
      return reading != null ? read(reading) : reconnect();
    } catch (RetriableException e) {
      lost(e);
    } catch (RuntimeException e) {
      if (!ConnectionLoss.isCauseOf(e)) {
        throw e;
      }
      lost(e);
    } catch (SQLException e) {
      if (!ConnectionLoss.isCauseOf(e)) {
        throw new ConnectException(server.address() + ": " + e.getMessage(), e);
      }
      lost(e);
    }
    return List.of();
  }

  void stop() {
    stopped.countDown();
    discardTask();
  }

  private List<SourceRecord> read(BinlogTask reading) throws InterruptedException {
    var records = reading.poll();
    if (records != null && !records.isEmpty()) {
      pulse.sign();
      backoff.reset();
      return records;
    }
    reading.client().ifPresent(pulse::watch);
    var loss = pulse.loss();
    if (loss.isPresent()) {
      throw new RetriableException(loss.get());
    }
    return List.of();
  }

  private List<SourceRecord> reconnect() throws InterruptedException, SQLException {
    long wait = nextAttempt - System.nanoTime();
    if (wait > 0) {
      stopped.await(Math.min(wait, LONGEST_WAIT_IN_POLL.toNanos()), TimeUnit.NANOSECONDS);
    } else if (stopped.getCount() > 0) {
      server.ping();
      if (resumePoint.isKnown() || findCreation()) {
        startTask();
      }
    }
    return List.of();
  }

  private boolean findCreation() throws SQLException {
    var gtids = server.createdGtids();
    gtids.ifPresent(resumePoint::beginAfter);
    if (gtids.isPresent()) {
      LOG.info("No stored offset: {} is read from the instance's creation on", server.address());
      return true;
    }
    if (System.nanoTime() - created > CREATION_PATIENCE.toNanos()) {
      throw new ConnectException(
          server.address()
              + " does not know the instance: create it on the cluster's master, and look whether"
              + " replication to this server runs");
    }
    nextAttempt = System.nanoTime() + backoff.next().toNanos();
    return false;
  }

  private void startTask() {
    var starting = new BinlogTask();
    starting.initialize(context);
    pulse = new Pulse(SILENCE, System::nanoTime);
    try {
      starting.start(settings);
    } catch (RuntimeException e) {
      discard(starting);
      throw e;
    }
    task.set(starting);
    if (away) {
      LOG.info("Reading {} again", server.address());
      away = false;
    }
    if (stopped.getCount() == 0) {
      discardTask();
    }
  }

  private void lost(Exception cause) {
    if (stopped.getCount() > 0 && !away) {
      LOG.warn("Lost {}: {}; trying again until it is back", server.address(), rootMessage(cause));
      away = true;
    }
    discardTask();
    nextAttempt = System.nanoTime() + backoff.next().toNanos();
  }

  private void discardTask() {
    var reading = task.getAndSet(null);
    if (reading != null) {
      discard(reading);
    }
  }

  /** What a task with a dead connection says when it is stopped changes nothing any more. */
  private static void discard(BinlogTask task) {
    try {
      task.stop();
    } catch (RuntimeException e) {
      LOG.debug("While stopping Debezium's task", e);
    }
  }

  private static String rootMessage(Throwable failure) {
    var root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage();
  }
}
