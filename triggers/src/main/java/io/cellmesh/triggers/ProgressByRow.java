package io.cellmesh.triggers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/**
 * How far a partition is of which each row's cells are called one after the other. Cells overtake
 * each other, so what is finished beyond the offset is remembered as runs; nothing is read,
 * finished or begun ahead for which a commit would have no room.
 */
final class ProgressByRow extends PartitionProgress {
  /** Runs that a poll may still add when reading ahead ends. */
  private static final int RESERVE = 32;

  private final Map<UUID, Lane> rows = new HashMap<>();
  private final Unfinished unfinished = new Unfinished();

  /** What processes before this one finished beyond the offset; what was read of it is passed. */
  private final List<Finished.Run> inherited;

  private int passed;
  private long sequence;

  ProgressByRow(TopicPartition at, Assignment assignment, Settings settings, Held total) {
    super(at, assignment, settings, total);
    this.inherited = Finished.decode(assignment.offset(), assignment.metadata()).runs();
  }

  @Override
  Lane lane(Delivery cell, ShardProgress shard) {
    return rows.computeIfAbsent(cell.row, row -> new Lane(this, shard));
  }

  @Override
  boolean isMissing(Delivery cell, ShardProgress shard) {
    return false;
  }

  @Override
  boolean isInherited(Delivery cell) {
    while (passed < inherited.size() && inherited.get(passed).end() <= cell.offset) {
      passed++;
    }
    return passed < inherited.size() && inherited.get(passed).first() <= cell.offset;
  }

  @Override
  boolean drops(Delivery cell, ShardProgress shard) {
    return false;
  }

  @Override
  boolean mayFinish() {
    return passed < inherited.size() || unfinished.first() == null || remembers(1);
  }

  @Override
  boolean mayBegin(Lane lane) {
    return lane.head() == unfinished.first() || remembers(1);
  }

  @Override
  boolean remembersMore() {
    return passed < inherited.size() || unfinished.first() == null || remembers(RESERVE);
  }

  /** Says whether a commit has room for so many runs more than what is there and under way. */
  private boolean remembers(int more) {
    int left = inherited.size() - passed;
    long last = left == 0 ? end() : inherited.get(inherited.size() - 1).end();
    long first = unfinished.first() == null ? end() : unfinished.first().offset;
    long runs = unfinished.runs() + 1L + left + running + more;
    return Finished.mostBytes(runs, last - first) <= Finished.RUN_BYTES;
  }

  @Override
  void taken(Delivery cell, ShardProgress shard) {
    cell.sequence = sequence++;
  }

  @Override
  void reached(long offset) {}

  @Override
  void entered(Delivery cell) {
    unfinished.add(cell);
  }

  @Override
  void left(Delivery cell) {
    unfinished.remove(cell);
    if (cell.lane.isEmpty()) {
      rows.remove(cell.row);
    }
  }

  @Override
  void changed(Lane lane) {}

  @Override
  int most() {
    return remembers(settings.batch()) ? settings.batch() : 1;
  }

  @Override
  void fill(List<Delivery> batch) {
    int most = remembers(settings.batch()) ? settings.batch() : batch.size();
    while (batch.size() < most && !ready.isEmpty() && !Lane.standsAlone(ready.peek().head())) {
      var lane = ready.remove();
      lane.state = Lane.State.RUNNING;
      lane.fill(batch, most);
    }
    batch.sort((one, other) -> Long.compare(one.offset, other.offset));
  }

  /** A row whose parked cells are replayed is parked, so its others are not delivered anyway. */
  @Override
  boolean hold(int shard, UUID row) {
    var lane = rows.get(row);
    return lane == null || lane.state != Lane.State.RUNNING;
  }

  @Override
  void release(int shard) {}

  @Override
  long offset(boolean parking) {
    var first = next(unfinished.first(), parking);
    return first == null ? end() : first.offset;
  }

  @Override
  Finished finished(boolean parking) {
    var runs = new ArrayList<Finished.Run>();
    var first = next(unfinished.first(), parking);
    long end = end();
    if (first != null) {
      var last = first;
      for (var cell = next(first.next, parking); cell != null; cell = next(cell.next, parking)) {
        if (last.sequence + 1 != cell.sequence) {
          runs.add(new Finished.Run(last.offset + 1, cell.offset));
        }
        last = cell;
      }
      if (last.sequence + 1 != sequence) {
        runs.add(new Finished.Run(last.offset + 1, end));
      }
    }
    for (int i = passed; i < inherited.size(); i++) {
      add(inherited.get(i), runs, end);
    }
    return new Finished(runs, shardIds(shardIds(parking)::of));
  }

  /** Adds what is left of a run that was not read to its end. */
  private static void add(Finished.Run inherited, List<Finished.Run> runs, long read) {
    var last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
    long first = Math.max(read, inherited.first());
    if (last != null && last.end() == first) {
      runs.set(runs.size() - 1, new Finished.Run(last.first(), inherited.end()));
    } else if (first < inherited.end()) {
      runs.add(new Finished.Run(first, inherited.end()));
    }
  }

  private static Delivery next(Delivery from, boolean parking) {
    var cell = from;
    while (parking && cell != null && cell.parking) {
      cell = cell.next;
    }
    return cell;
  }

  /** Of each shard those that were read, from below the first that is unfinished. */
  private Finder shardIds(boolean parking) {
    var lowest = new HashMap<ShardProgress, long[]>();
    for (var cell = next(unfinished.first(), parking);
        cell != null;
        cell = next(cell.next, parking)) {
      var shard = cell.lane.shard;
      var of = lowest.computeIfAbsent(shard, any -> new long[] {Long.MAX_VALUE, Long.MAX_VALUE});
      int part = cell.addedId >= shard.read.lowest() ? 0 : 1;
      of[part] = Math.min(of[part], cell.addedId);
    }
    return shard -> {
      var of = lowest.get(shard);
      return of == null ? shard.read : shard.read.below(of[0], of[1]);
    };
  }
}
