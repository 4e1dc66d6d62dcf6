package io.cellmesh.connect.source;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Debezium's records from the servers of a cluster, one at a time, through whatever happens to the
 * connection.
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
  private static final Duration LONGEST_WAIT_IN_POLL = Duration.ofMillis(50);

  private final SourceTaskContext context;
  private final ResumePoint resumePoint;
  private final ServerSelector servers;
  private final StopSignal stop;
  private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));
  private final AtomicReference<BinlogTask> task = new AtomicReference<>();
  private Liveness liveness = new Liveness(SILENCE, System::nanoTime);
  private long nextAttempt = System.nanoTime();
  private boolean heard;
  private boolean away;

  BinlogStream(
      SourceTaskContext context, ResumePoint resumePoint, ServerSelector servers, StopSignal stop) {
    this.context = new ResumingContext(context, resumePoint);
    this.resumePoint = resumePoint;
    this.servers = servers;
    this.stop = stop;
  }

  /**
   * The next records; none while no server can be read. The resume point must be known.
   *
   * @throws ConnectException if trying again can't help
   */
  List<SourceRecord> poll() throws InterruptedException {
    try {
      var reading = task.get();
      return reading != null ? read(reading) : reconnect();
    } catch (RuntimeException e) {
      if (ConnectionLoss.isRefusal(e)) {
        throw new ConnectException(refused(e), e);
      }
      if (!(e instanceof RetriableException) && !ConnectionLoss.isCauseOf(e)) {
        throw e;
      }
      lost(e);
    }
    return List.of();
  }

  /** After the signal was given, so that no other task is begun. */
  void stop() {
    discardTask();
  }

  /** Transactions that were read, though their cells may still wait to be handed out. */
  Optional<String> read() {
    return Optional.ofNullable(task.get())
        .flatMap(BinlogTask::client)
        .map(BinaryLogClient::getGtidSet);
  }

  /** Seconds since the server was heard, with an event or a heartbeat. */
  long silentSeconds() {
    return liveness.silence().toSeconds();
  }

  boolean isHeard() {
    return heard && task.get() != null;
  }

  private List<SourceRecord> read(BinlogTask reading) throws InterruptedException {
    // Before each poll: one that always has records must not hide that the connection has ended,
    // nor that a better server is back.
    reading.client().ifPresent(liveness::watch);
    if (servers.shouldMove(resumePoint::passed)) {
      LOG.info("Leaving {} for a better server", address());
      leave();
      return List.of();
    }
    var records = reading.poll();
    if (records != null && !records.isEmpty()) {
      liveness.sign();
      backoff.reset();
      arrived();
      return records;
    }
    if (liveness.isConfirmed()) {
      arrived();
    }
    var loss = liveness.loss();
    if (loss.isPresent()) {
      throw new RetriableException(loss.get());
    }
    return List.of();
  }

  private List<SourceRecord> reconnect() throws InterruptedException {
    var chosen =
        System.nanoTime() - nextAttempt < 0
            ? Optional.<BinlogServer>empty()
            : servers.choose(resumePoint.passed());
    if (chosen.isEmpty()) {
      stop.await(LONGEST_WAIT_IN_POLL);
    } else if (!stop.isGiven()) {
      startTask(chosen.get());
    }
    return List.of();
  }

  private void startTask(BinlogServer server) {
    var starting = new BinlogTask();
    starting.initialize(context);
    resumePoint.begin();
    liveness = new Liveness(SILENCE, System::nanoTime);
    try {
      starting.start(server.debezium());
    } catch (RuntimeException e) {
      discard(starting);
      throw e;
    }
    task.set(starting);
    if (stop.isGiven()) {
      discardTask();
    }
  }

  private void arrived() {
    if (!heard) {
      heard = true;
      servers.arrived();
      if (away) {
        LOG.info("Reading {} again", address());
        away = false;
      }
    }
  }

  private void lost(Exception cause) {
    if (!stop.isGiven() && !away) {
      LOG.warn(
          "Lost {}: {}; trying again until it or another server can be read",
          address(),
          ConnectionLoss.rootMessage(cause));
      away = true;
    }
    leave();
    nextAttempt = System.nanoTime() + backoff.next().toNanos();
  }

  private void leave() {
    heard = false;
    discardTask();
    servers.leave();
  }

  private String refused(Exception cause) {
    var user = servers.current().map(BinlogServer::user).orElse("");
    return address() + ": " + ConnectionLoss.explain(cause, user);
  }

  private String address() {
    return servers.current().map(BinlogServer::address).orElse("the server");
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
}
