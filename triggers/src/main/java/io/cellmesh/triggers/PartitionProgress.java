package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.CellAttempts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/**
 * How far a partition is, for as long as it is owned: a partition that was lost and comes back is
 * another one, so that late ends of deliveries find a closed one. A record is taken once: below the
 * end of what was read, each is finished, in memory, or of a shard whose records are dropped.
 */
abstract class PartitionProgress {
  private static final long NOWHERE = -1;

  final TopicPartition at;
  final Settings settings;

  /** The lanes whose head can begin, that of the oldest first. */
  final PriorityQueue<Lane> ready =
      new PriorityQueue<>(Comparator.comparingLong(lane -> lane.head().offset));

  /** Whether the dispatcher has it in its queue of partitions with lanes that are ready. */
  boolean listed;

  /** Cells that callbacks have. */
  int running;

  /** The batches in which they have them. */
  int batches;

  /** What was read of it and is not finished. */
  final Held held = new Held();

  private final Held total;
  private final Set<UUID> parkedRows;
  private final Set<UUID> rowsBeingParked = new HashSet<>();
  private final Map<UUID, CellAttempts> noted;
  private ShardProgress[] shards = new ShardProgress[0];
  private Commit committed;
  private boolean cautious = true;
  private boolean revoked;

  /** Threads that call back look at it, too. */
  private volatile boolean closed;

  /** Behind the last record that was taken. */
  private long end;

  /** Where the next record is expected. */
  private long position;

  private long seek = NOWHERE;
  private long finishedCells;

  PartitionProgress(TopicPartition at, Assignment assignment, Settings settings, Held total) {
    this.at = at;
    this.settings = settings;
    this.total = total;
    this.parkedRows = new HashSet<>(assignment.parkedRows());
    this.noted = new HashMap<>(assignment.attempts());
    this.committed = new Commit(assignment.offset(), assignment.metadata());
    this.end = assignment.offset();
    this.position = assignment.offset();
    for (var known : Finished.decode(assignment.offset(), assignment.metadata()).shards()) {
      place(new ShardProgress(known.shard(), this, known.ids()));
    }
  }

  static PartitionProgress of(
      TopicPartition at, Assignment assignment, Settings settings, Held total) {
    return switch (settings.order()) {
      case SHARD -> new ProgressByShard(at, assignment, settings, total);
      case ROW -> new ProgressByRow(at, assignment, settings, total);
    };
  }

  /** The lane of a cell that is taken. */
  abstract Lane lane(Delivery cell, ShardProgress shard);

  /** Says whether a record below the end was not taken. */
  abstract boolean isMissing(Delivery cell, ShardProgress shard);

  /** Says whether a record that is new is finished already. */
  abstract boolean isInherited(Delivery cell);

  /** Says whether a record is left out because its shard is blocked; then it comes again. */
  abstract boolean drops(Delivery cell, ShardProgress shard);

  /** Says whether one more record may be finished at once. */
  abstract boolean mayFinish();

  /** Says whether a lane's head may begin. */
  abstract boolean mayBegin(Lane lane);

  /** Says whether there is room to read on in what a commit can remember. */
  abstract boolean remembersMore();

  /** Says that a record was read which is finished, dropped or in memory. */
  abstract void taken(Delivery cell, ShardProgress shard);

  /** Says that a read has come to an offset. */
  abstract void reached(long offset);

  abstract void entered(Delivery cell);

  abstract void left(Delivery cell);

  /** Takes note that a lane's state has changed. */
  abstract void changed(Lane lane);

  /** As many cells as one lane may put into a batch now. */
  abstract int most();

  /** Adds what stands next to a batch that has one lane's cells. */
  abstract void fill(List<Delivery> batch);

  /** Keeps a shard's or row's cells from being delivered, unless a callback has one. */
  abstract boolean hold(int shard, UUID row);

  abstract void release(int shard);

  /** The first offset that is not finished; with what is being parked as though it were. */
  abstract long offset(boolean parking);

  abstract Finished finished(boolean parking);

  /**
   * Takes a record, which is refused (and comes again) if there is no room for it.
   *
   * @return its lane if it is in memory now, else null
   */
  final Lane read(Delivery cell, boolean room) {
    if (seek != NOWHERE) {
      return null;
    }
    var shard = shard(cell.shard);
    boolean known = cell.offset < end && !isMissing(cell, shard);
    var lane = known ? null : take(cell, shard, room);
    if (seek == NOWHERE) {
      position = cell.offset + 1;
      reached(cell.offset);
    }
    return lane;
  }

  private Lane take(Delivery cell, ShardProgress shard, boolean room) {
    if (drops(cell, shard)) {
      pass(cell, shard);
      return null;
    }
    if (isFinished(cell, shard)) {
      if (!mayFinish()) {
        seek(cell.offset);
        return null;
      }
      shard.read.add(cell.addedId, cell.rebuilt);
      shard.settle();
      pass(cell, shard);
      return null;
    }
    if (!room) {
      seek(cell.offset);
      return null;
    }
    return enter(cell, shard);
  }

  private boolean isFinished(Delivery cell, ShardProgress shard) {
    return isInherited(cell)
        || shard.read.contains(cell.addedId, cell.rebuilt)
        || !settings.accepts().test(cell);
  }

  private void pass(Delivery cell, ShardProgress shard) {
    end = Math.max(end, cell.offset + 1);
    taken(cell, shard);
  }

  /** What needs memory comes first: a cell that finds none is not passed, so it comes again. */
  private Lane enter(Delivery cell, ShardProgress shard) {
    var lane = lane(cell, shard);
    if (!noted.isEmpty()) {
      inherit(cell);
    }
    shard.read.add(cell.addedId, cell.rebuilt);
    shard.unfinished++;
    pass(cell, shard);
    lane.add(cell);
    held.add(cell.bytes);
    total.add(cell.bytes);
    entered(cell);
    return lane;
  }

  private void inherit(Delivery cell) {
    var attempts = noted.get(cell.row);
    if (attempts != null
        && attempts.offset() == cell.offset
        && attempts.addedId() == cell.addedId) {
      cell.inherit(attempts, settings.retry().attempts());
    }
  }

  /** Forgets a cell that is its lane's head: it is done with. */
  final void finish(Delivery cell) {
    var shard = cell.lane.shard;
    cell.lane.removeHead();
    leave(cell, shard);
    shard.recency = ++finishedCells;
    left(cell);
    shard.settle();
  }

  /** Takes a cell out of memory. */
  final void leave(Delivery cell, ShardProgress shard) {
    shard.unfinished--;
    held.remove(cell.bytes);
    total.remove(cell.bytes);
  }

  /** Why a cell is to be parked, or null. */
  final ParkReason reasonToPark(Delivery cell) {
    if (cell.verdict() != null) {
      return cell.verdict();
    }
    return settings.rowsFollow()
            && (parkedRows.contains(cell.row) || rowsBeingParked.contains(cell.row))
        ? ParkReason.ROW
        : null;
  }

  final void parking(Delivery cell) {
    cell.parking = true;
    rowsBeingParked.add(cell.row);
  }

  final void parked(Delivery cell) {
    if (settings.rowsFollow()) {
      parkedRows.add(cell.row);
    }
    notParked(cell);
    finish(cell);
  }

  final void notParked(Delivery cell) {
    cell.parking = false;
    rowsBeingParked.remove(cell.row);
  }

  final void unpark(UUID row) {
    parkedRows.remove(row);
  }

  final Set<UUID> parkedRows() {
    return parkedRows;
  }

  final Commit commit(boolean parking) {
    long offset = offset(parking);
    return new Commit(offset, finished(parking).encode(offset));
  }

  final Commit committed() {
    return committed;
  }

  final void committed(Commit commit) {
    committed = commit;
    cautious = false;
  }

  /** Says whether nothing was committed yet, so that first attempts are noted as well. */
  final boolean isCautious() {
    return cautious;
  }

  final void revoke() {
    revoked = true;
  }

  final boolean isRevoked() {
    return revoked;
  }

  final void close() {
    closed = true;
    revoked = true;
    total.removeAll(held);
  }

  final boolean isClosed() {
    return closed;
  }

  final boolean isSeeking() {
    return seek != NOWHERE;
  }

  /** The offset to read on from, if it is another than that of the next record, else -1. */
  final long seek() {
    long offset = seek;
    if (offset != NOWHERE) {
      position = offset;
      seek = NOWHERE;
    }
    return offset;
  }

  final void seek(long offset) {
    seek = seek == NOWHERE ? offset : Math.min(seek, offset);
  }

  final long end() {
    return end;
  }

  final long position() {
    return position;
  }

  /** The shards of which something is known, in their order, with gaps that are null. */
  final ShardProgress[] shards() {
    return shards;
  }

  final ShardProgress shard(int number) {
    return number < shards.length && shards[number] != null
        ? shards[number]
        : place(new ShardProgress(number, this, new MetIds()));
  }

  final List<Finished.ShardIds> shardIds(Finder ids) {
    var all = new ArrayList<Finished.ShardIds>();
    for (var shard : shards) {
      if (shard != null) {
        var finished = ids.of(shard);
        if (!finished.isEmpty()) {
          all.add(new Finished.ShardIds(shard.shard, finished, shard.recency));
        }
      }
    }
    return all;
  }

  private ShardProgress place(ShardProgress shard) {
    if (shard.shard >= shards.length) {
      shards = Arrays.copyOf(shards, Math.max(shard.shard + 1, 2 * shards.length));
    }
    shards[shard.shard] = shard;
    return shard;
  }

  /** Finds which ids of a shard are finished. */
  interface Finder {
    MetIds of(ShardProgress shard);
  }
}
