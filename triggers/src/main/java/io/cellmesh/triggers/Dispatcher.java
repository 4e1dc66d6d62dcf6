package io.cellmesh.triggers;

import static java.util.stream.Collectors.toSet;

import io.cellmesh.topics.trigger.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/**
 * Decides what one process does with the partitions of a trigger that it owns. It has no I/O, no
 * thread and no clock; one thread calls it, with instants that never go back, and does what it
 * says, in this order over and over:
 *
 * <ol>
 *   <li>tell it of what happened: {@link #assign}, {@link #revoke}, {@link #lost}, {@link #read}
 *       for each record, {@link #succeeded} and {@link #failed} for each batch that ended, {@link
 *       #parked} and {@link #notParked}, {@link #committed}, {@link #unpark}, {@link #pause},
 *       {@link #halt}
 *   <li>{@link #seek} for each partition before the next poll, and stop reading of those that it
 *       does not {@link #wants}
 *   <li>{@link #next}: write each batch's {@link Batch#notes} and wait for them, then call back
 *   <li>{@link #park}: do it as one transaction, with the markers and the commits in it
 *   <li>{@link #commit}, whenever it is time, but not while such a transaction runs; {@link
 *       #cleared} names notes that may go
 *   <li>come back at {@link #due} if nothing happens before
 * </ol>
 *
 * It keeps invariant 12: a commit's offset and metadata name only cells whose batch succeeded, that
 * are not for the callback, or that a transaction has parked.
 */
final class Dispatcher {
  private static final int PARKED_AT_ONCE = 500;
  private static final Duration PARKING_AGAIN = Duration.ofSeconds(1);
  private static final Duration FIRST_PROBE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PROBE = Duration.ofSeconds(3);

  private final Settings settings;
  private final Retry retry;
  private final Outcomes outcomes;
  private final Held held = new Held();
  private final Map<TopicPartition, PartitionProgress> owned = new LinkedHashMap<>();

  /** Partitions with lanes that are ready, in turn. */
  private final Deque<PartitionProgress> turns = new ArrayDeque<>();

  private final PriorityQueue<Lane> waiting =
      new PriorityQueue<>(Comparator.comparing(lane -> lane.head().due()));

  private final Deque<Lane> toPark = new ArrayDeque<>();

  /** Lanes that are ready but for another suspect that runs. */
  private final List<Lane> suspects = new ArrayList<>();

  /** Lanes that are ready but for somebody else who calls back for their shard. */
  private final List<Lane> heldLanes = new ArrayList<>();

  /** Batches that still run of partitions that were lost. */
  private final Map<TopicPartition, Integer> strays = new HashMap<>();

  private final List<Note> cleared = new ArrayList<>();
  private int running;
  private boolean suspectRuns;
  private boolean paused;
  private boolean halted;
  private Parking parking;
  private Instant parkingDue = Instant.MIN;
  private Batch probe;
  private Instant probeDue;
  private Duration probeBackOff;
  private boolean recovered;

  Dispatcher(Settings settings) {
    this.settings = settings;
    this.retry = settings.retry();
    this.outcomes = new Outcomes(settings.window());
  }

  /**
   * Takes a partition over, whose reading begins at the committed offset. Nothing of it is
   * delivered before what this process still does for an earlier assignment of it has ended.
   *
   * @throws IllegalStateException if it is owned
   */
  void assign(TopicPartition at, Assignment assignment) {
    if (owned.containsKey(at)) {
      throw new IllegalStateException(at + " is assigned and was not lost");
    }
    owned.put(at, PartitionProgress.of(at, assignment, settings, held));
  }

  /** Delivers nothing more of a partition; what runs may end and be committed. */
  void revoke(TopicPartition at) {
    progress(at).revoke();
  }

  /** How many cells of a partition callbacks have. */
  int running(TopicPartition at) {
    return progress(at).running;
  }

  /**
   * Forgets a partition, with or without {@link #revoke} before; what still runs does not count. A
   * transaction that parks cells of it must have ended, or be aborted.
   */
  void lost(TopicPartition at) {
    var progress = owned.remove(at);
    if (progress != null) {
      progress.close();
      if (progress.batches > 0) {
        strays.merge(at, progress.batches, Integer::sum);
      }
      turns.remove(progress);
      waiting.removeIf(lane -> lane.partition == progress);
      toPark.removeIf(lane -> lane.partition == progress);
      suspects.removeIf(lane -> lane.partition == progress);
      heldLanes.removeIf(lane -> lane.partition == progress);
    }
  }

  /**
   * Begins a partition again at an offset, as though nothing at or above it had been finished; rows
   * stay parked. The caller reads on from there.
   *
   * @return what to commit with the request
   * @throws IllegalStateException if callbacks have cells of it: first revoke it and wait
   */
  Commit rewind(TopicPartition at, long offset) {
    var progress = progress(at);
    if (progress.running > 0) {
      throw new IllegalStateException(at + ": " + progress.running + " cells are being delivered");
    }
    lost(at);
    assign(at, new Assignment(offset, "", progress.parkedRows(), Map.of()));
    return new Commit(offset, "");
  }

  /**
   * Takes a record of a partition, in the order of offsets. If there is no room for it, or it is of
   * a blocked shard, it is left out and {@link #seek} has it come again.
   */
  void read(TopicPartition at, Delivery cell, Instant now) {
    var progress = progress(at);
    boolean room = settings.bounds().hasRoom(held.cells(), held.bytes(), cell.bytes);
    var lane = progress.read(cell, room);
    if (lane != null && lane.state == Lane.State.EMPTY) {
      route(lane, now);
    }
  }

  /** Says whether to read on of a partition. */
  boolean wants(TopicPartition at) {
    var progress = progress(at);
    return !progress.isRevoked()
        && progress.remembersMore()
        && settings
            .bounds()
            .wantsMore(held.cells(), held.bytes(), progress.held.cells(), owned.size());
  }

  /**
   * The offset from which to read again, if it is another than that of the next record. The caller
   * does so before it hands over another record; until this is asked, records are left out.
   */
  OptionalLong seek(TopicPartition at) {
    var progress = progress(at);
    return progress.isSeeking() ? OptionalLong.of(progress.seek()) : OptionalLong.empty();
  }

  /** The batches to begin now, the oldest cells of each partition first. */
  List<Batch> next(Instant now) {
    if (paused) {
      return List.of();
    }
    if (halted) {
      return probe(now);
    }
    wake(now);
    List<Batch> batches = null;
    while (running < settings.concurrency() && !turns.isEmpty()) {
      var progress = turns.remove();
      progress.listed = false;
      var batch = begin(progress, now);
      if (batch != null) {
        batches = batches == null ? new ArrayList<>() : batches;
        batches.add(batch);
        list(progress);
      }
    }
    return batches == null ? List.of() : batches;
  }

  private void wake(Instant now) {
    while (!waiting.isEmpty() && !waiting.peek().head().due().isAfter(now)) {
      ready(waiting.remove());
    }
  }

  private Batch begin(PartitionProgress progress, Instant now) {
    var lane = mayDeliver(progress) ? free(progress) : null;
    if (lane == null || !progress.mayBegin(lane)) {
      return null;
    }
    progress.ready.remove();
    return begin(lane, progress.most(), false, now);
  }

  /** The first lane that is ready; those before it which must wait for something are put aside. */
  private Lane free(PartitionProgress progress) {
    for (var lane = progress.ready.peek(); lane != null; lane = progress.ready.peek()) {
      if (lane.held) {
        heldLanes.add(progress.ready.remove());
      } else if (suspectRuns && lane.head().isSuspect()) {
        suspects.add(progress.ready.remove());
      } else {
        return lane;
      }
    }
    return null;
  }

  private Batch begin(Lane lane, int most, boolean probes, Instant now) {
    var progress = lane.partition;
    lane.state = Lane.State.RUNNING;
    List<Delivery> cells;
    if (most == 1) {
      cells = List.of(lane.head());
    } else {
      cells = new ArrayList<>();
      lane.fill(cells, most);
      if (!Lane.standsAlone(lane.head())) {
        progress.fill(cells);
      }
    }
    running++;
    progress.batches++;
    progress.running += cells.size();
    suspectRuns |= lane.head().isSuspect();
    return new Batch(progress, cells, probes, notes(progress, cells, now));
  }

  /** A retry is noted, and whatever begins before a first commit; a row has room for one note. */
  private static List<Note> notes(PartitionProgress progress, List<Delivery> cells, Instant now) {
    if (!progress.isCautious() && !cells.get(0).isRetried()) {
      return List.of();
    }
    var rows = new HashSet<UUID>();
    var notes = new ArrayList<Note>();
    for (var cell : cells) {
      if (rows.add(cell.row)) {
        notes.add(new Note(progress.at, cell.row, Optional.of(cell.note(now))));
      }
    }
    return notes;
  }

  /** While halted: one cell, the one that was tried longest ago. */
  private List<Batch> probe(Instant now) {
    if (probe != null || running >= settings.concurrency() || now.isBefore(probeDue)) {
      return List.of();
    }
    var lane = probed();
    if (lane == null) {
      return List.of();
    }
    probe = begin(lane, 1, true, now);
    return List.of(probe);
  }

  private Lane probed() {
    for (int left = turns.size(); left > 0; left--) {
      var progress = turns.remove();
      progress.listed = false;
      var lane = mayDeliver(progress) ? free(progress) : null;
      if (lane != null) {
        progress.ready.remove();
        list(progress);
        return lane;
      }
    }
    var longestAgo =
        waiting.stream()
            .filter(lane -> !lane.held && mayDeliver(lane.partition))
            .min(
                Comparator.comparing(
                    lane -> lane.head().lastFailure(),
                    Comparator.nullsFirst(Comparator.naturalOrder())));
    longestAgo.ifPresent(waiting::remove);
    return longestAgo.orElse(null);
  }

  private boolean mayDeliver(PartitionProgress progress) {
    return !progress.isRevoked() && !strays.containsKey(progress.at);
  }

  /** All cells of a batch are done with. */
  void succeeded(Batch batch, Instant now) {
    if (!end(batch)) {
      return;
    }
    recovered |= halted && batch.probe;
    for (var cell : batch.cells) {
      finish(cell, now);
    }
    settle(batch, now);
  }

  /**
   * A batch failed: all of it, or what a {@link BatchFailedException} names. What stands in a
   * failed cell's lane behind it is not done either and comes again. Where a batch of several
   * failed without a word which, each is tried alone before any is parked.
   */
  void failed(Batch batch, Exception failure, Instant now) {
    if (!end(batch)) {
      return;
    }
    var named = named(batch, failure);
    boolean alone = batch.cells.size() == 1;
    for (var cell : batch.cells) {
      var its = named.isEmpty() ? failure : named.get(cell.offset);
      if (its != null) {
        fail(cell, its, alone || !named.isEmpty(), batch.probe, now);
        cell.lane.failed = true;
      } else if (!cell.lane.failed) {
        finish(cell, now);
      }
    }
    settle(batch, now);
  }

  private static Map<Long, Exception> named(Batch batch, Exception failure) {
    if (!(failure instanceof BatchFailedException partly)) {
      return Map.of();
    }
    var named = new HashMap<Long, Exception>();
    partly
        .failures()
        .forEach(
            (cell, its) -> {
              if (cell.partition().equals(batch.partition.at)) {
                named.put(cell.offset(), its);
              }
            });
    named.keySet().retainAll(batch.cells.stream().map(cell -> cell.offset).collect(toSet()));
    return named;
  }

  private boolean end(Batch batch) {
    boolean counts = batch.end();
    var progress = batch.partition;
    running--;
    progress.batches--;
    progress.running -= batch.cells.size();
    if (batch.cells.get(0).isSuspect()) {
      suspectRuns = false;
      suspects.forEach(this::ready);
      suspects.clear();
    }
    if (batch == probe) {
      probe = null;
    }
    if (!counts) {
      strays.merge(progress.at, -1, (one, other) -> one + other == 0 ? null : one + other);
      Optional.ofNullable(owned.get(progress.at)).ifPresent(this::list);
    }
    return counts;
  }

  private void finish(Delivery cell, Instant now) {
    cell.survive();
    outcomes.succeeded(cell, now);
    done(cell);
    cell.lane.partition.finish(cell);
  }

  private void done(Delivery cell) {
    if (cell.isNoted()) {
      cleared.add(new Note(cell.lane.partition.at, cell.row, Optional.empty()));
    }
  }

  /** While halted no attempt counts: it is not the cell that fails. */
  private void fail(Delivery cell, Exception failure, boolean judged, boolean probes, Instant now) {
    var reason = Reason.of(failure);
    outcomes.failed(cell, reason, now);
    cell.fail(reason, now);
    if (judged) {
      retry
          .parks(failure, cell.failed(), cell.firstFailure(), now)
          .filter(verdict -> !halted || !verdict.mayPass())
          .ifPresent(cell::park);
    }
    cell.retry(now.plus(retry.delay(failure, cell.failed())));
    if (halted) {
      cell.uncount();
    }
    if (probes && halted) {
      probeBackOff = probeBackOff.multipliedBy(2);
      probeBackOff = probeBackOff.compareTo(LONGEST_PROBE) > 0 ? LONGEST_PROBE : probeBackOff;
      probeDue = now.plus(probeBackOff);
    }
  }

  /** Says what comes next of the lanes of a batch that ended. */
  private void settle(Batch batch, Instant now) {
    for (var cell : batch.cells) {
      if (cell.lane.state == Lane.State.RUNNING) {
        route(cell.lane, now);
      }
    }
    list(batch.partition);
  }

  private void route(Lane lane, Instant now) {
    lane.failed = false;
    if (lane.isEmpty()) {
      lane.state = Lane.State.EMPTY;
    } else if (lane.partition.reasonToPark(lane.head()) != null) {
      lane.state = Lane.State.PARKING;
      toPark.add(lane);
    } else if (lane.head().due() != null && lane.head().due().isAfter(now)) {
      lane.state = Lane.State.WAITING;
      waiting.add(lane);
    } else {
      ready(lane);
    }
    lane.partition.changed(lane);
  }

  private void ready(Lane lane) {
    lane.state = Lane.State.READY;
    lane.partition.ready.add(lane);
    list(lane.partition);
  }

  private void list(PartitionProgress progress) {
    if (!progress.listed && !progress.isClosed() && !progress.ready.isEmpty()) {
      progress.listed = true;
      turns.add(progress);
    }
  }

  /**
   * What to park in the next transaction, if anything; there is one at a time, and none while
   * halted.
   */
  Optional<Parking> park(Instant now) {
    if (halted || parking != null || toPark.isEmpty() || now.isBefore(parkingDue)) {
      return Optional.empty();
    }
    var cells = new ArrayList<Parking.Parked>();
    while (!toPark.isEmpty() && cells.size() < PARKED_AT_ONCE) {
      var lane = toPark.remove();
      if (lane.partition.reasonToPark(lane.head()) == null) {
        route(lane, now);
      } else {
        park(lane, cells);
      }
    }
    if (cells.isEmpty()) {
      return Optional.empty();
    }
    var commits = new LinkedHashMap<TopicPartition, Commit>();
    for (var cell : cells) {
      var progress = cell.cell().lane.partition;
      commits.computeIfAbsent(progress.at, at -> progress.commit(true));
    }
    parking = new Parking(cells, commits);
    return Optional.of(parking);
  }

  private void park(Lane lane, List<Parking.Parked> cells) {
    var progress = lane.partition;
    for (var cell = lane.head();
        cell != null && cells.size() < PARKED_AT_ONCE;
        cell = cell.behind) {
      var reason = progress.reasonToPark(cell);
      if (reason == null) {
        return;
      }
      progress.parking(cell);
      cells.add(new Parking.Parked(progress.at, cell, reason));
    }
  }

  /** The transaction is committed: its cells are done with and their rows parked. */
  void parked(Parking done, Instant now) {
    for (var lane : end(done)) {
      for (var cell = lane.head(); cell != null && cell.parking; cell = lane.head()) {
        done(cell);
        lane.partition.parked(cell);
      }
      lane.partition.committed(done.commits().get(lane.partition.at));
      route(lane, now);
      list(lane.partition);
    }
  }

  /** The transaction failed: its cells wait for another one. */
  void notParked(Parking failed, Instant now) {
    parkingDue = now.plus(PARKING_AGAIN);
    for (var lane : end(failed)) {
      for (var cell = lane.head(); cell != null && cell.parking; cell = cell.behind) {
        lane.partition.notParked(cell);
      }
      toPark.add(lane);
    }
    if (halted) {
      reprieve(now);
    }
  }

  /** The lanes of a transaction whose partitions are still owned. */
  private Iterable<Lane> end(Parking ended) {
    if (ended != parking) {
      throw new IllegalStateException("not the transaction that runs");
    }
    parking = null;
    var lanes = new LinkedHashSet<Lane>();
    for (var cell : ended.cells()) {
      if (!cell.cell().lane.partition.isClosed()) {
        lanes.add(cell.cell().lane);
      }
    }
    return lanes;
  }

  /** A row has no marker any more: its replay has come to the end, or it was discarded. */
  void unpark(TopicPartition at, UUID row) {
    progress(at).unpark(row);
  }

  /** What to commit of a partition, if it is another than what was committed. */
  Optional<Commit> commit(TopicPartition at) {
    var progress = progress(at);
    var commit = progress.commit(false);
    return commit.equals(progress.committed()) ? Optional.empty() : Optional.of(commit);
  }

  /** What is finished of a partition, whether or not that was committed. */
  Commit place(TopicPartition at) {
    return progress(at).commit(false);
  }

  /** A commit succeeded, apart or in a transaction of the caller's. */
  void committed(TopicPartition at, Commit commit) {
    Optional.ofNullable(owned.get(at)).ifPresent(progress -> progress.committed(commit));
  }

  /** Delivers nothing more until it is told to go on; what runs ends, and what waits is parked. */
  void pause(boolean on) {
    paused = on;
  }

  /**
   * Parks nothing and delivers nothing but one cell at a time, after a second, then with back-off
   * up to three; or goes on.
   */
  void halt(boolean on, Instant now) {
    if (on && !halted) {
      halted = true;
      probeBackOff = FIRST_PROBE;
      probeDue = now.plus(probeBackOff);
      reprieve(now);
    } else if (!on && halted) {
      halted = false;
      recovered = false;
      outcomes.clear();
    }
  }

  /** Cells that used up their attempts for what now halts the trigger get another one. */
  private void reprieve(Instant now) {
    var lanes = new ArrayList<>(toPark);
    toPark.clear();
    for (var lane : lanes) {
      for (var cell = lane.head(); cell != null; cell = cell.behind) {
        if (cell.verdict() != null && cell.verdict().mayPass()) {
          cell.reprieve(retry.attempts(), now);
        }
      }
      route(lane, now);
    }
  }

  /** Says whether, while halted, a cell is tried or could be. */
  boolean mayProbe() {
    return probe != null || !turns.isEmpty() || !waiting.isEmpty();
  }

  /** Says whether a cell that was tried while halted succeeded. */
  boolean hasRecovered() {
    return recovered;
  }

  /**
   * Keeps a shard (in order by row: a row) from being delivered while its parked cells are
   * replayed.
   *
   * @return false if a callback has a cell of it: ask again
   */
  boolean hold(TopicPartition at, int shard, UUID row) {
    return progress(at).hold(shard, row);
  }

  /** Ends {@link #hold}. */
  void release(TopicPartition at, int shard) {
    progress(at).release(shard);
    var lanes = new ArrayList<>(heldLanes);
    heldLanes.clear();
    lanes.forEach(this::ready);
  }

  /** When to ask again though nothing happens, if ever. */
  Optional<Instant> due() {
    var due = Instant.MAX;
    if (halted) {
      due = paused || probe != null ? due : probeDue;
    } else {
      due = waiting.isEmpty() || paused ? due : waiting.peek().head().due();
      due = toPark.isEmpty() || parking != null || due.isBefore(parkingDue) ? due : parkingDue;
    }
    return due.equals(Instant.MAX) ? Optional.empty() : Optional.of(due);
  }

  /** The rows whose notes are of no use any more, each once; nobody has to wait for it. */
  List<Note> cleared() {
    if (cleared.isEmpty()) {
      return List.of();
    }
    var notes = List.copyOf(cleared);
    cleared.clear();
    return notes;
  }

  /** What this process saw within the window. */
  Tally tally(Instant now) {
    return outcomes.tally(now);
  }

  /** Cells in memory. */
  int cells() {
    return held.cells();
  }

  /** Bytes of the cells in memory. */
  long bytes() {
    return held.bytes();
  }

  private PartitionProgress progress(TopicPartition at) {
    var progress = owned.get(at);
    if (progress == null) {
      throw new IllegalArgumentException(at + " is not assigned");
    }
    return progress;
  }
}
