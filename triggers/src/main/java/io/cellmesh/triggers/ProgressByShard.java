package io.cellmesh.triggers;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/**
 * How far a partition is of which each shard's cells are called one after the other. A shard's
 * cells are finished in their order, so the highest id says all of them, and reading ahead of a
 * blocked shard is unlimited: what does not fit into memory is dropped and read again.
 */
final class ProgressByShard extends PartitionProgress {
  private final List<ShardProgress> resuming = new ArrayList<>();

  ProgressByShard(TopicPartition at, Assignment assignment, Settings settings, Held total) {
    super(at, assignment, settings, total);
  }

  @Override
  Lane lane(Delivery cell, ShardProgress shard) {
    return shard.lane;
  }

  @Override
  boolean isMissing(Delivery cell, ShardProgress shard) {
    return shard.resuming && cell.offset >= shard.next;
  }

  @Override
  boolean isInherited(Delivery cell) {
    return false;
  }

  @Override
  boolean drops(Delivery cell, ShardProgress shard) {
    if (shard.lane.isBlocked() && shard.lane.size() > settings.bounds().keep()) {
      shard.drop(cell.offset);
    }
    return shard.dropping && !shard.resuming;
  }

  @Override
  boolean mayFinish() {
    return true;
  }

  @Override
  boolean mayBegin(Lane lane) {
    return true;
  }

  @Override
  boolean remembersMore() {
    return true;
  }

  @Override
  void taken(Delivery cell, ShardProgress shard) {
    if (shard.resuming) {
      shard.next = cell.offset + 1;
    }
  }

  /** Where all is read again up to the end, nothing is left out of the shards that went on. */
  @Override
  void reached(long offset) {
    if (!resuming.isEmpty() && offset >= end() - 1) {
      for (var shard : resuming) {
        if (shard.resuming) {
          shard.dropping = false;
          shard.resuming = false;
          shard.settle();
        }
      }
      resuming.clear();
    }
  }

  @Override
  void entered(Delivery cell) {}

  @Override
  void left(Delivery cell) {
    cell.lane.shard.finished.add(cell.addedId, cell.rebuilt);
  }

  @Override
  void changed(Lane lane) {
    if (lane.isBlocked()) {
      dropAllBut(settings.bounds().keep() + 1, lane);
    } else if (lane.shard.dropping
        && !lane.shard.resuming
        && lane.size() <= settings.bounds().keep() / 2) {
      resume(lane.shard);
    }
  }

  private void dropAllBut(int kept, Lane lane) {
    var rest = lane.cut(kept);
    if (rest != null) {
      lane.shard.drop(rest.offset);
      for (var cell = rest; cell != null; cell = cell.behind) {
        leave(cell, lane.shard);
      }
      lane.shard.readAgain();
    }
  }

  private void resume(ShardProgress shard) {
    shard.resuming = true;
    resuming.add(shard);
    if (shard.next < position() || isSeeking()) {
      seek(shard.next);
    }
  }

  @Override
  int most() {
    return settings.batch();
  }

  @Override
  void fill(List<Delivery> batch) {}

  @Override
  boolean hold(int shard, UUID row) {
    var lane = shard(shard).lane;
    // From the first asking on, or a shard that is always busy would never be free.
    lane.held = true;
    return lane.state != Lane.State.RUNNING;
  }

  @Override
  void release(int shard) {
    shard(shard).lane.held = false;
  }

  @Override
  long offset(boolean parking) {
    long offset = end();
    for (var shard : shards()) {
      if (shard != null) {
        var first = first(shard, parking);
        if (first != null) {
          offset = Math.min(offset, first.offset);
        }
        if (shard.dropping) {
          offset = Math.min(offset, shard.next);
        }
      }
    }
    return offset;
  }

  @Override
  Finished finished(boolean parking) {
    return new Finished(List.of(), shardIds(shard -> finished(shard, parking)));
  }

  private static MetIds finished(ShardProgress shard, boolean parking) {
    if (!parking || shard.lane.isEmpty() || !shard.lane.head().parking) {
      return shard.finished;
    }
    var ids = shard.finished.copy();
    for (var cell = shard.lane.head(); cell != null && cell.parking; cell = cell.behind) {
      ids.add(cell.addedId, cell.rebuilt);
    }
    return ids;
  }

  private static Delivery first(ShardProgress shard, boolean parking) {
    var first = shard.lane.head();
    while (parking && first != null && first.parking) {
      first = first.behind;
    }
    return first;
  }
}
