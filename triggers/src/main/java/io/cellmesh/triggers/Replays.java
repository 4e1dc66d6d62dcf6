package io.cellmesh.triggers;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.topics.trigger.DamagedRecordException;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.ParkedReader;
import io.cellmesh.topics.trigger.ParkedRecord;
import io.cellmesh.topics.trigger.ParkedRow;
import io.cellmesh.topics.trigger.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls back again for the parked cells of rows, each row in order and by a thread of its own,
 * while the shard (in order by row: the row) is held, so that nothing else calls back for it; after
 * some of them the others of the shard have a turn. The loop asks how far each is and writes that
 * down. A row whose cell fails for good again stays parked from there on. While the trigger is
 * paused or halted nothing is called back for.
 */
final class Replays {
  private static final Logger LOG = LoggerFactory.getLogger(Replays.class);
  private static final long WRITE_MS = 200;

  /** After what Kafka did not answer; reading itself waits as well. */
  private static final long AGAIN_MS = 1_000;

  /** So many of a row's cells are read at once, and what came with them: they may be large. */
  private static final int AT_ONCE = 50;

  /** For so long is read at once, since a row's cells may lie far apart. */
  private static final long READING_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final TriggerOptions options;
  private final SharedDispatcher dispatcher;
  private final CellCallback callback;
  private final Retry retry;
  private final TriggerFigures figures;
  private final Supplier<Consumer<byte[], byte[]>> clients;
  private final RunningClock clock = new RunningClock();
  private final Map<TopicPartition, Map<UUID, Progress>> partitions = new HashMap<>();
  private volatile boolean paused;

  /**
   * @param clients opens one that reads what is committed and belongs to no group
   */
  Replays(
      TriggerOptions options,
      SharedDispatcher dispatcher,
      CellCallback callback,
      Retry retry,
      TriggerFigures figures,
      Supplier<Consumer<byte[], byte[]>> clients) {
    this.options = options;
    this.dispatcher = dispatcher;
    this.callback = callback;
    this.retry = retry;
    this.figures = figures;
    this.clients = clients;
  }

  /** How far the replay of a row is. */
  static final class Progress {
    private volatile long next;
    private volatile long replayed;
    private volatile String failure;

    /** Before which nothing is read again. */
    private volatile long due = System.nanoTime();

    private final CountDownLatch forgotten = new CountDownLatch(1);
    private volatile Thread thread;

    /** Whether its thread calls back no more; guarded by this, as is whether it is a stray. */
    private boolean ended;

    private boolean stray;
    private boolean holds;
    private long written;
    private long writtenAt = System.nanoTime();

    private Progress(long next) {
      this.next = next;
    }

    /** The offset of the first parked cell that is not done with. */
    long next() {
      return next;
    }

    /** Whether a cell failed for good. */
    boolean hasEnded() {
      return failure != null;
    }

    String failure() {
      return failure;
    }

    /** How many cells were replayed since that was written down. */
    long sinceWritten() {
      return replayed - written;
    }

    boolean mayWrite() {
      return System.nanoTime() - writtenAt > TimeUnit.MILLISECONDS.toNanos(WRITE_MS);
    }

    void written() {
      written = replayed;
      writtenAt = System.nanoTime();
    }

    private void replayed(long offset) {
      next = offset + 1;
      replayed++;
    }

    private boolean isForgotten() {
      return forgotten.getCount() == 0;
    }

    private boolean isDue() {
      return System.nanoTime() - due >= 0;
    }

    /** Whether a thread has ended that called back for some of its cells, or found none to read. */
    private boolean hasRun() {
      return thread != null && !thread.isAlive();
    }

    private boolean runs() {
      var running = thread;
      return running != null && running.isAlive();
    }

    /** Gives it up, and says so if its callback may still run. */
    private synchronized void forget(Runnable strays) {
      if (runs() && !ended) {
        forgotten.countDown();
        thread.interrupt();
        strays.run();
        stray = true;
      }
    }

    private synchronized void begin(Thread next) {
      ended = false;
      thread = next;
      next.start();
    }

    /** Says whether it was given up meanwhile. */
    private synchronized boolean end() {
      ended = true;
      return stray;
    }
  }

  /**
   * Begins no callback until it is told to go on; those that run may end. Rows go on where they
   * are, with the cell that is not done with at its first attempt again.
   */
  void pause(boolean on) {
    paused = on;
  }

  /** Whether nothing is called back for: also not while the trigger is halted, as it would fail. */
  boolean isPaused() {
    return paused || dispatcher.with((core, now) -> core.isHalted());
  }

  /** Begins with rows of a partition; with those that are under way nothing changes. */
  void begin(TopicPartition at, Set<UUID> rows) {
    var begun = partitions.computeIfAbsent(at, a -> new LinkedHashMap<>());
    rows.forEach(row -> begun.putIfAbsent(row, null));
  }

  /** The rows of a partition whose replay has not ended. */
  List<UUID> rows(TopicPartition at) {
    return new ArrayList<>(partitions.getOrDefault(at, Map.of()).keySet());
  }

  /**
   * Says how far a row is, and has it go on if there is more.
   *
   * @param marker the row's, as it is now
   */
  Progress progress(TopicPartition at, UUID row, ParkedRow marker) {
    var rows = partitions.get(at);
    var progress = rows.get(row);
    if (progress == null) {
      progress = new Progress(marker.next());
      rows.put(row, progress);
    }
    if (isPaused() || progress.runs() || progress.hasEnded() || progress.next > marker.last()) {
      return progress;
    }
    if (progress.holds && progress.hasRun()) {
      handBack(at, row, progress);
      return progress;
    }
    if (!progress.holds && progress.isDue() && mayHold(rows, row)) {
      progress.holds = dispatcher.with((core, now) -> core.hold(at, options.shards().of(row), row));
    }
    if (progress.holds) {
      start(at, row, marker, progress);
    }
    return progress;
  }

  /** Gives the others of the shard a turn: it is held again when the loop asks the next time. */
  private void handBack(TopicPartition at, UUID row, Progress progress) {
    progress.holds = false;
    progress.thread = null;
    dispatcher.feed(
        (core, now) -> {
          core.release(at, options.shards().of(row));
          return null;
        });
  }

  /** As many at once as there are callbacks; in order by shard one of each shard. */
  private boolean mayHold(Map<UUID, Progress> rows, UUID row) {
    long all =
        partitions.values().stream()
            .flatMap(of -> of.values().stream())
            .filter(progress -> progress != null && progress.holds)
            .count();
    return all < options.threads()
        && (options.definition().order() == Order.ROW || isFree(rows, options.shards().of(row)));
  }

  private boolean isFree(Map<UUID, Progress> rows, int shard) {
    return rows.entrySet().stream()
        .filter(other -> other.getValue() != null && other.getValue().holds)
        .noneMatch(other -> options.shards().of(other.getKey()) == shard);
  }

  /**
   * Has rows call back no more.
   *
   * @return false while a callback of one of them still runs: ask again
   */
  boolean stop(TopicPartition at, Collection<UUID> rows) {
    var running = running(at, rows);
    running.forEach(progress -> progress.forgotten.countDown());
    return running.isEmpty();
  }

  private List<Progress> running(TopicPartition at, Collection<UUID> rows) {
    var all = partitions.getOrDefault(at, Map.of());
    return rows.stream()
        .map(all::get)
        .filter(progress -> progress != null && progress.runs())
        .toList();
  }

  /**
   * Forgets a row whose replay has ended.
   *
   * @return whether no other row's holds the shard
   */
  boolean done(TopicPartition at, UUID row) {
    var rows = partitions.getOrDefault(at, new HashMap<>());
    rows.remove(row);
    return isFree(rows, options.shards().of(row));
  }

  /**
   * Ends the replays of a partition that goes; its next owner finds the request. Should that be
   * this process, it calls nobody back before those callbacks have ended.
   */
  void forget(TopicPartition at) {
    var rows = partitions.remove(at);
    if (rows != null) {
      rows.values().stream()
          .filter(Objects::nonNull)
          .forEach(progress -> progress.forget(() -> stray(at)));
    }
  }

  private void stray(TopicPartition at) {
    dispatcher.with(
        (core, now) -> {
          core.stray(at);
          return null;
        });
  }

  private void strayEnded(TopicPartition at) {
    dispatcher.feed(
        (core, now) -> {
          core.strayEnded(at);
          return null;
        });
  }

  /** Lets the callbacks of partitions that go end, for a time, and begins none. */
  void end(Collection<TopicPartition> going, Duration most) {
    long end = System.nanoTime() + most.toNanos();
    var running = new ArrayList<Progress>();
    going.forEach(at -> running.addAll(running(at, rows(at))));
    running.forEach(progress -> progress.forgotten.countDown());
    try {
      for (var progress : running) {
        progress.thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    going.forEach(this::forget);
  }

  private void start(TopicPartition at, UUID row, ParkedRow marker, Progress progress) {
    var left =
        new ParkedRow(
            marker.first(),
            progress.next,
            marker.last(),
            marker.count(),
            marker.since(),
            marker.reason());
    var thread =
        new Thread(() -> replay(at, row, left, progress), "trigger-" + options.name() + "-replay");
    thread.setDaemon(true);
    progress.begin(thread);
  }

  private void replay(TopicPartition at, UUID row, ParkedRow left, Progress progress) {
    try (var client = clients.get();
        var envelopes = EnvelopeReader.lenient()) {
      var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
      long end = System.nanoTime() + READING_NANOS;
      long next =
          new ParkedReader(client, options.topics().parked(), options.name())
              .readWhile(
                  () ->
                      records.size() < AT_ONCE
                          && System.nanoTime() - end < 0
                          && !progress.isForgotten(),
                  at.partition(),
                  row,
                  left,
                  records::add);
      for (var record : records) {
        if (!call(record, envelopes, progress)) {
          return;
        }
        progress.replayed(record.offset());
        figures.countReplayed();
      }
      progress.next = next;
    } catch (Throwable e) {
      failed(row, e, progress);
    } finally {
      if (progress.end()) {
        strayEnded(at);
      }
    }
  }

  /** Kafka is waited for. Whatever else it is: the row stays parked, and the request ends. */
  private void failed(UUID row, Throwable failure, Progress progress) {
    if (progress.isForgotten()) {
      return;
    }
    if (mayPass(failure)) {
      progress.due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(AGAIN_MS);
      LOG.warn(
          "Trigger {}: what is parked of row {} can't be read, trying again: {}",
          options.name(),
          row,
          failure.getMessage());
    } else {
      progress.failure = Reason.of(failure).text();
    }
  }

  /**
   * What is gone or damaged stays so, and a right that is missing may be for long, while the shard
   * is held. No exception of a callback comes here.
   */
  private static boolean mayPass(Throwable failure) {
    return failure instanceof KafkaException
        && !(failure instanceof InvalidOffsetException)
        && !(failure instanceof DamagedRecordException)
        && MissingRightException.refusalIn(failure).isEmpty();
  }

  /**
   * Says whether it succeeded, with an attempt more each time, as the first time; not if it is to
   * go on later.
   */
  private boolean call(
      ConsumerRecord<byte[], byte[]> record, EnvelopeReader envelopes, Progress progress)
      throws InterruptedException, InvalidCellException {
    var source = ParkedRecord.read(record);
    var log = envelopes.readLog(record.key(), record.value());
    var first = clock.now();
    for (int attempt = 1; !progress.isForgotten() && !isPaused(); attempt++) {
      Exception failure;
      try {
        callback.call(new TriggeredCell(log, source.source(), source.offset(), attempt, false));
        return true;
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        failure = e;
      } catch (Error e) {
        failure = CallbackThreads.failure(e);
      }
      if (retry.parks(failure, attempt, first, clock.now()).isPresent()) {
        progress.failure = Reason.of(failure).text();
        return false;
      }
      // A partition that goes is not held up by one that waits for its next attempt.
      var pause = retry.delay(failure, attempt);
      if (progress.forgotten.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    }
    return false;
  }
}
