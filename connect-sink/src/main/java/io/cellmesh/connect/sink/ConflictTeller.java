package io.cellmesh.connect.sink;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.base.DeadLetter;
import io.cellmesh.connect.sink.base.Original;
import io.cellmesh.connect.sink.base.Rejections;
import io.cellmesh.storage.ConflictLedger;
import io.cellmesh.storage.Decision;
import io.cellmesh.storage.Decision.Place;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.RefusedRecord;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the conflicts that the primaries' ledgers hold (invariant 11): each as soon as the ledger
 * of every listed minion has it, so that no promotion can undo what was told, then notes that it is
 * told. A crash between the two tells it again, with the same place. What an earlier owner of a
 * partition left is told, too. One thread.
 */
final class ConflictTeller implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConflictTeller.class);

  /** Conflicts that are told before they are noted. */
  private static final int PAGE = 200;

  /** Longest stay with one primary at a time. */
  private static final Duration TURN = Duration.ofSeconds(5);

  /** Every offset is before it. */
  private static final Position END =
      new Position(new Mark(Long.MAX_VALUE, 0), new Mark(Long.MAX_VALUE, 0));

  private final Topology topology;
  private final ConflictLedger ledger;
  private final Rejections rejections;
  private final Function<String, UUID> topicIds;
  private final RecordSource ingest;
  private final LongSupplier clock;
  private final SinkMetrics metrics;
  private final ScheduledExecutorService thread;
  private volatile Error failed;

  /**
   * @param rejections that nobody else uses
   * @param clock of {@link System#nanoTime}
   */
  ConflictTeller(
      Topology topology,
      ConflictLedger ledger,
      Rejections rejections,
      Function<String, UUID> topicIds,
      RecordSource ingest,
      LongSupplier clock,
      SinkMetrics metrics) {
    this.topology = topology;
    this.ledger = ledger;
    this.rejections = rejections;
    this.topicIds = topicIds;
    this.ingest = ingest;
    this.clock = clock;
    this.metrics = metrics;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              var daemon = new Thread(task, "cellmesh-sink-conflicts");
              daemon.setDaemon(true);
              return daemon;
            });
  }

  /**
   * Begins to tell, again and again, in a thread of its own: neither Kafka nor a primary that is
   * slow may hold up the task for it.
   *
   * @param partitions that the task owns
   */
  void start(Duration interval, Supplier<Set<Integer>> partitions) {
    thread.scheduleWithFixedDelay(
        () -> runOrFail(partitions.get()),
        interval.toMillis(),
        interval.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /**
   * Looks whether it still goes on.
   *
   * @throws ConnectException if it has ended
   */
  void check() {
    var error = failed;
    if (error != null) {
      throw new ConnectException(
          "conflicts are no longer told: %s. Restart the task; with OutOfMemoryError give the worker more heap"
              .formatted(error),
          error);
    }
  }

  private void runOrFail(Set<Integer> partitions) {
    try {
      run(partitions);
    } catch (RuntimeException e) {
      // The schedule must survive what went wrong between primaries as well.
      LOG.warn("conflicts are told later: {}", e.getMessage());
    } catch (Error e) {
      failed = e;
      throw e;
    }
  }

  /** Tells what can be told of some partitions now. */
  void run(Set<Integer> partitions) {
    for (var primary : topology.clusters()) {
      if (Thread.currentThread().isInterrupted()) {
        break;
      }
      try {
        run(primary, partitions);
      } catch (NodeUnavailableException e) {
        LOG.debug("the ledger of {} can't be read: {}", primary.name(), e.getMessage());
      } catch (SQLException | RuntimeException e) {
        // The schedule must survive; what is not told now is told later.
        LOG.warn("conflicts of {} can't be told now: {}", primary.name(), e.getMessage());
      } finally {
        // The ledger still has what was not noted.
        rejections.forget();
      }
    }
    ingest.close();
  }

  @Override
  public void close() {
    thread.shutdownNow();
    rejections.close();
  }

  private void run(StorageCluster primary, Set<Integer> partitions)
      throws SQLException, NodeUnavailableException {
    long untold = ledger.countUntold(primary);
    metrics.untold(primary.name(), untold);
    if (untold == 0 || partitions.isEmpty()) {
      return;
    }
    var everywhere = new HashMap<Integer, Position>();
    partitions.forEach(partition -> everywhere.put(partition, END));
    long deadline = clock.getAsLong() + TURN.toNanos();
    while (deadline - clock.getAsLong() > 0) {
      var page = ledger.untold(primary, everywhere, PAGE);
      var decided = replicated(primary, page);
      if (decided.isEmpty()) {
        return;
      }
      for (var decision : decided) {
        tell(decision);
      }
      rejections.await();
      ledger.told(primary, decided.stream().map(Decision::place).toList());
    }
  }

  /** Those that every listed minion has; a promotion of any of them keeps the decision. */
  private List<Decision> replicated(StorageCluster primary, List<Decision> page)
      throws SQLException, NodeUnavailableException {
    var remaining = new ArrayList<>(page);
    for (var minion : primary.minions()) {
      if (!remaining.isEmpty()) {
        var places = remaining.stream().map(Decision::place).toList();
        var has = ledger.decided(minion, places);
        remaining.removeIf(decision -> !has.contains(decision.place()));
      }
    }
    return remaining;
  }

  private void tell(Decision decision) {
    var place = decision.place();
    var at = new TopicPartition(decision.topic().of(topology.topics()), place.partition());
    var headers = new ArrayList<Header>();
    headers.add(DeadLetter.ours("topic.id", kafkas(place)));
    var original =
        decision
            .record()
            .filter(record -> !RebuiltRecord.is(record))
            .map(record -> original(at, place.offset(), record))
            .or(() -> fetch(at, place))
            .orElseGet(
                () -> {
                  headers.add(RebuiltRecord.header());
                  return rebuilt(at, decision);
                });
    rejections.reject(original, new ConflictException(decision), headers);
  }

  private Optional<Original> fetch(TopicPartition at, Place place) {
    return topicIds.apply(at.topic()).equals(place.topicId())
        ? ingest.at(at, place.offset())
        : Optional.empty();
  }

  private static Original original(TopicPartition at, long offset, RefusedRecord record) {
    var headers = new ArrayList<Header>();
    record.headers().forEach(h -> headers.add(new RecordHeader(h.name(), h.value())));
    return new Original(
        at,
        offset,
        Optional.of(record.timestamp()).filter(millis -> millis >= 0),
        record.key(),
        record.value(),
        headers);
  }

  /** What is known of a record that is gone: its cell, or only the cell's key. */
  private static Original rebuilt(TopicPartition at, Decision decision) {
    return new Original(
        at,
        decision.place().offset(),
        Optional.empty(),
        Envelope.key(decision.key()),
        decision.record().map(RefusedRecord::value).orElse(null),
        List.of());
  }

  /** As Kafka's tools write it. */
  private static String kafkas(Place place) {
    var id = place.topicId();
    return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits()).toString();
  }
}
