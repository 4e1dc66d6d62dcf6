package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.SinkMetric.Outcome;
import io.cellmesh.connect.sink.base.TaskThreads;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.ServerHealth;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;

/**
 * Sees to it that what lanes have not applied stands in enough copies: one while its primary takes
 * it at once, otherwise two where there are two (invariant 5).
 */
final class CopySender {
  private static final int WHILE_WAITING = 2;

  private final Topology topology;
  private final ServerHealth health;
  private final CopyWriter writer;
  private final Lanes lanes;
  private final PendingWork work;
  private final TaskThreads threads;
  private final int copies;
  private final SinkMetrics metrics;
  private final SingleCopies singles;

  /**
   * @param copies how many secondaries get each copy while its primary is well
   */
  CopySender(
      Topology topology,
      ServerHealth health,
      CopyWriter writer,
      Lanes lanes,
      PendingWork work,
      TaskThreads threads,
      int copies,
      SinkMetrics metrics) {
    this.topology = topology;
    this.health = health;
    this.writer = writer;
    this.lanes = lanes;
    this.work = work;
    this.threads = threads;
    this.copies = copies;
    this.metrics = metrics;
    this.singles =
        new SingleCopies(
            topology,
            secondary -> health.writable(secondary.master()),
            (primary, single, holders) -> writer.delivery(primary, single, holders).to(1),
            lanes);
  }

  /**
   * Copies of one primary that are on their way.
   *
   * @param waiting whether its cells were known to wait when they were sent
   */
  record Sent(
      StorageCluster primary,
      List<Copy> copies,
      boolean waiting,
      CopyDelivery delivery,
      CompletableFuture<Set<String>> secondaries,
      TaskThreads threads) {
    /** Waits until they are committed; throws what went wrong. */
    void await() {
      await(secondaries);
    }

    /**
     * Waits until they are committed on secondaries that were asked for later; throws what went
     * wrong.
     */
    Set<String> await(CompletableFuture<Set<String>> taken) {
      threads.await(taken);
      try {
        return taken.join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof RuntimeException known
            ? known
            : new ConnectException(e.getCause());
      }
    }
  }

  /** Begins to copy what a batch has of each primary and no copy has yet. */
  Map<StorageCluster, Sent> send(Batch batch) {
    var copies = new LinkedHashMap<StorageCluster, List<Copy>>();
    var held = new HashSet<StorageCluster>();
    for (var primary : topology.clusters()) {
      var missing = new ArrayList<Copy>();
      boolean waiting = work.held(primary) || !health.writable(primary.master());
      for (var range : batch.ranges()) {
        var lane = lanes.of(primary, range.partition());
        long from = lane.copied(range.topic());
        var cells = range.cells(primary.name(), from);
        if (!cells.isEmpty()) {
          waiting |= !lane.readyForBatch(range.topic());
          missing.add(copy(lane, range.topic(), range.end(), cells));
        }
      }
      if (!missing.isEmpty()) {
        copies.put(primary, missing);
        if (waiting) {
          count(missing);
          held.add(primary);
        }
      }
    }
    return send(copies, held);
  }

  /**
   * Waits for all of them, and tells the lanes.
   *
   * @throws RetriableException if some primary has no secondary
   */
  void finish(Map<StorageCluster, Sent> sent) {
    var failure = new FirstFailure();
    for (var one : sent.values()) {
      failure.attempt(
          () -> {
            one.await();
            one.copies()
                .forEach(c -> lanes.of(one.primary(), c.partition()).copied(c.topic(), c.next()));
          });
    }
    failure.rethrow();
  }

  /**
   * Gives a second secondary what its primary, against expectation, has not taken: all copies of
   * the batch, since a primary takes their cells in one transaction. Where none takes them now,
   * {@link #giveOn} goes on.
   *
   * @param bytes of the batch's records
   */
  void doubleWhatWaits(Map<StorageCluster, Sent> sent, long bytes) {
    var holders = new LinkedHashMap<Sent, CompletableFuture<Set<String>>>();
    for (var one : sent.values()) {
      if (one.secondaries().isCompletedExceptionally()) {
        continue;
      }
      var waiting =
          one.copies().stream()
              .filter(c -> lanes.of(one.primary(), c.partition()).applied(c.topic()) < c.next())
              .toList();
      if (waiting.isEmpty()) {
        continue;
      }
      if (one.waiting()) {
        holders.put(one, one.secondaries());
      } else {
        count(waiting);
        holders.put(one, one.delivery().to(WHILE_WAITING));
      }
    }
    var failure = new FirstFailure();
    holders.forEach((one, taken) -> failure.attempt(() -> remember(one, one.await(taken), bytes)));
    failure.rethrow();
  }

  /** Remembers what stands on one secondary alone. */
  private void remember(Sent one, Set<String> holders, long bytes) {
    if (holders.size() < WHILE_WAITING) {
      singles.add(one.primary(), one.copies(), bytes, holders);
    }
  }

  /** Goes on to give a second secondary what has waited with one copy; does not wait for it. */
  void giveOn() {
    singles.giveOn();
  }

  /**
   * Begins to say in the buffers that lanes had no further cells up to the ends, so that a later
   * owner can prove that nothing is missing: where the primary can't say so, and where it does, but
   * a promotion could take it back. Where a primary has no secondary its lanes stay where they are.
   */
  Map<StorageCluster, Sent> extend(BiFunction<IngestTopic, Integer, Mark> ends) {
    var copies = new LinkedHashMap<StorageCluster, List<Copy>>();
    var held = new HashSet<StorageCluster>();
    for (var primary : topology.clusters()) {
      var missing = new ArrayList<Copy>();
      boolean waiting = false;
      for (var lane : lanes.of(primary)) {
        for (var topic : IngestTopic.values()) {
          var end = ends.apply(topic, lane.partition());
          if (end != null && lane.inOrder(topic) && lane.copied(topic) < end.next()) {
            missing.add(copy(lane, topic, end, List.of()));
            waiting |= lane.needsCopies(topic);
          }
        }
      }
      if (!missing.isEmpty()) {
        copies.put(primary, missing);
        if (waiting) {
          held.add(primary);
        }
      }
    }
    return send(copies, held);
  }

  private void count(List<Copy> waiting) {
    metrics.outcome(Outcome.BUFFERED, waiting.stream().mapToLong(c -> c.cells().size()).sum());
  }

  private static Copy copy(Lane lane, IngestTopic topic, Mark end, List<OffsetCell> cells) {
    return new Copy(lane.primary().name(), topic, lane.partition(), lane.copied(topic), end, cells);
  }

  /**
   * @param held primaries whose cells are known to wait
   */
  private Map<StorageCluster, Sent> send(
      Map<StorageCluster, List<Copy>> missing, Set<StorageCluster> held) {
    var deliveries = writer.deliveries(missing);
    var wanted = new LinkedHashMap<CopyDelivery, Integer>();
    deliveries.forEach(
        (primary, delivery) ->
            wanted.put(
                delivery, held.contains(primary) ? Math.max(WHILE_WAITING, copies) : copies));
    var secondaries = CopyDelivery.together(wanted);
    var sent = new LinkedHashMap<StorageCluster, Sent>();
    deliveries.forEach(
        (primary, delivery) -> {
          var taken = secondaries.get(delivery);
          boolean waiting = held.contains(primary);
          sent.put(
              primary, new Sent(primary, missing.get(primary), waiting, delivery, taken, threads));
        });
    return sent;
  }
}
