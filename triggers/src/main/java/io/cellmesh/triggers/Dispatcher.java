package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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
  private final Settings settings;
  private final Retry retry;
  private final Outcomes outcomes;
  private final Held held = new Held();
  private final Map<TopicPartition, PartitionProgress> owned = new LinkedHashMap<>();
  private final Turns turns = new Turns(this::mayDeliver);
  private final ParkingQueue parkings = new ParkingQueue();
  private final Probes probes = new Probes();

  /** Batches that still run of partitions that were lost, and replays that nobody waits for. */
  private final Map<TopicPartition, Integer> strays = new HashMap<>();

  private final List<Note> cleared = new ArrayList<>();
  private int running;
  private boolean paused;

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

  /** So many batches run at once, at most. */
  int concurrency() {
    return settings.concurrency();
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
      turns.forget(progress);
      parkings.forget(progress);
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

  /**
   * Begins what can begin now, the oldest cells of each partition first.
   *
   * @param begun gets each batch before it counts as under way, so that none counts which nobody
   *     has to end, also where there is no memory for the next one
   */
  void next(Instant now, Collection<Batch> begun) {
    if (paused) {
      return;
    }
    if (probes.isHalted()) {
      probe(now, begun);
      return;
    }
    while (running < settings.concurrency()) {
      var lane = turns.next(now);
      if (lane == null) {
        return;
      }
      begin(lane, lane.partition.most(), now, begun);
      turns.list(lane.partition);
    }
  }

  private Batch begin(Lane lane, int most, Instant now, Collection<Batch> begun) {
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
    var batch = Batch.of(progress, cells, now);
    begun.add(batch);
    // From here on nothing needs memory.
    running++;
    progress.batches++;
    progress.running += cells.size();
    turns.began(lane);
    return batch;
  }

  /** While halted: one cell, the one that was tried longest ago. */
  private void probe(Instant now, Collection<Batch> begun) {
    if (running >= settings.concurrency() || !probes.isDue(now)) {
      return;
    }
    var lane = turns.triedLongestAgo();
    if (lane != null) {
      probes.began(begin(lane, 1, now, begun));
    }
  }

  private boolean mayDeliver(PartitionProgress progress) {
    return !progress.isRevoked() && !strays.containsKey(progress.at);
  }

  /** All cells of a batch are done with. */
  void succeeded(Batch batch, Instant now) {
    if (!end(batch)) {
      return;
    }
    probes.succeeded(batch);
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
    var named = batch.named(failure);
    boolean alone = batch.cells.size() == 1;
    for (var cell : batch.cells) {
      var its = named.isEmpty() ? failure : named.get(cell.offset);
      if (its != null) {
        fail(cell, its, alone || !named.isEmpty(), now);
        cell.lane.failed = true;
      } else if (!cell.lane.failed) {
        finish(cell, now);
      }
    }
    probes.failed(batch, now);
    settle(batch, now);
  }

  private boolean end(Batch batch) {
    boolean counts = batch.end();
    var progress = batch.partition;
    running--;
    progress.batches--;
    progress.running -= batch.cells.size();
    if (batch.cells.get(0).isSuspect()) {
      turns.suspectEnded();
    }
    if (!counts) {
      probes.lost(batch);
      strayEnded(progress.at);
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
  private void fail(Delivery cell, Exception failure, boolean judged, Instant now) {
    var reason = Reason.of(failure);
    outcomes.failed(cell, reason, now);
    cell.fail(reason, now);
    if (judged) {
      retry
          .parks(failure, cell.failed(), cell.firstFailure(), now)
          .filter(verdict -> !probes.isHalted() || !verdict.mayPass())
          .ifPresent(cell::park);
    }
    cell.retry(now.plus(retry.delay(failure, cell.failed())));
    if (probes.isHalted()) {
      cell.uncount();
    }
  }

  /** Says what comes next of the lanes of a batch that ended. */
  private void settle(Batch batch, Instant now) {
    for (var cell : batch.cells) {
      if (cell.lane.state == Lane.State.RUNNING) {
        route(cell.lane, now);
      }
    }
    turns.list(batch.partition);
  }

  private void route(Lane lane, Instant now) {
    lane.failed = false;
    if (lane.isEmpty()) {
      lane.state = Lane.State.EMPTY;
    } else if (lane.partition.reasonToPark(lane.head()) != null) {
      parkings.add(lane);
    } else if (lane.head().due() != null && lane.head().due().isAfter(now)) {
      turns.waits(lane);
    } else {
      turns.ready(lane);
    }
    lane.partition.changed(lane);
  }

  /**
   * What to park in the next transaction, if anything; there is one at a time, and none while
   * halted.
   */
  Optional<Parking> park(Instant now) {
    return probes.isHalted() ? Optional.empty() : parkings.begin(now, others -> route(others, now));
  }

  /** The transaction is committed: its cells are done with and their rows parked. */
  void parked(Parking done, Instant now) {
    for (var lane : parkings.parked(done)) {
      for (var cell = lane.head(); cell != null && cell.parking; cell = lane.head()) {
        done(cell);
        lane.partition.parked(cell);
      }
      lane.partition.committed(done.commits().get(lane.partition.at));
      route(lane, now);
      turns.list(lane.partition);
    }
  }

  /** The transaction failed: its cells wait for another one. */
  void notParked(Parking failed, Instant now) {
    parkings.notParked(failed, now);
    if (probes.isHalted()) {
      reprieve(now);
    }
  }

  /**
   * Whoever ran a transaction is gone before it said what became of it: it holds up no other. Its
   * partitions were {@link #lost} before.
   */
  void abandonParking() {
    parkings.abandon();
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
    if (on && !probes.isHalted()) {
      probes.halt(now);
      reprieve(now);
    } else if (!on && probes.isHalted()) {
      probes.goOn();
      outcomes.clear();
    }
  }

  /** Cells that used up their attempts for what now halts the trigger get another one. */
  private void reprieve(Instant now) {
    for (var lane : parkings.takeAll()) {
      for (var cell = lane.head(); cell != null; cell = cell.behind) {
        if (cell.verdict() != null && cell.verdict().mayPass()) {
          cell.reprieve(retry.attempts(), now);
        }
      }
      route(lane, now);
    }
  }

  boolean isHalted() {
    return probes.isHalted();
  }

  /**
   * Says whether, while halted, a cell is tried or could be. None of a shard that is held is: its
   * replay waits until nothing is halted.
   */
  boolean mayProbe() {
    return probes.isUnderWay() || turns.hasFree();
  }

  /** Says whether a cell that was tried while halted succeeded. */
  boolean hasRecovered() {
    return probes.hasRecovered();
  }

  /**
   * Keeps a shard (in order by row: a row) from being delivered while its parked cells are
   * replayed.
   *
   * @return false if a callback has a cell of it: ask again
   */
  boolean hold(TopicPartition at, int shard, UUID row) {
    return progress(at).hold(shard, row) && !strays.containsKey(at);
  }

  /**
   * A replay of a partition is given up, and its callback may still run: until {@link #strayEnded}
   * nothing else of the partition is called back for.
   */
  void stray(TopicPartition at) {
    strays.merge(at, 1, Integer::sum);
  }

  void strayEnded(TopicPartition at) {
    strays.merge(at, -1, (one, other) -> one + other == 0 ? null : one + other);
    Optional.ofNullable(owned.get(at)).ifPresent(turns::list);
  }

  /** Ends {@link #hold}. */
  void release(TopicPartition at, int shard) {
    progress(at).release(shard);
    turns.released();
  }

  /** When to ask again though nothing happens, if ever. */
  Optional<Instant> due() {
    var called = paused ? Instant.MAX : probes.isHalted() ? probes.due() : turns.due();
    var parked = probes.isHalted() ? Instant.MAX : parkings.due();
    var due = called.isBefore(parked) ? called : parked;
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
