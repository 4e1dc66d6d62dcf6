package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.CopyChains.Next;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.Refusals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Applies copies to a primary, many in one transaction: an outage leaves thousands of small ones.
 * Thread-safe; knows nothing of lanes, so that it can go on beside the task's thread.
 */
final class Replay {
  private final CopyChains chains;
  private final PrimaryWriter writer;
  private final Refusals refusals;
  private final LongSupplier clock;

  /**
   * @param refusals told of cells that the primary refuses
   * @param clock of {@link System#nanoTime}
   */
  Replay(CopyChains chains, PrimaryWriter writer, Refusals refusals, LongSupplier clock) {
    this.chains = chains;
    this.writer = writer;
    this.refusals = refusals;
    this.clock = clock;
  }

  /**
   * What is to be reached in one partition number.
   *
   * @param position that the primary has; null if it must be read
   * @param targets the offset for each topic that is behind
   */
  record Goal(int partition, Position position, Map<IngestTopic, Long> targets) {}

  /** The buffers have nothing that joins the position of a partition in a topic. */
  record PartitionGap(int partition, IngestTopic topic) {}

  /**
   * How far it came.
   *
   * @param reached positions, by partition; one that is not there is not known
   */
  record Replayed(Map<Integer, Position> reached, Set<PartitionGap> gaps) {}

  /** Works until all goals are reached or stand before a gap, or the time is over. */
  Replayed run(StorageCluster primary, List<Goal> goals, long deadline) {
    var unknown = goals.stream().filter(g -> g.position() == null).map(Goal::partition).toList();
    var reached = new HashMap<Integer, Position>();
    goals.stream()
        .filter(goal -> goal.position() != null)
        .forEach(goal -> reached.put(goal.partition(), goal.position()));
    if (!unknown.isEmpty()) {
      writer.positions(primary, unknown).ifPresent(reached::putAll);
    }
    var gaps = new HashSet<PartitionGap>();
    var remembered = new HashSet<>(reached.keySet());
    remembered.removeAll(unknown);
    while (clock.getAsLong() - deadline < 0) {
      var writes = writes(primary, goals, reached, gaps);
      if (writes.isEmpty()) {
        if (looksAgain(primary, remembered, reached, gaps)) {
          continue;
        }
        break;
      }
      var result = writer.write(primary, writes, refusals, () -> {});
      if (result.isEmpty()) {
        return new Replayed(Map.of(), Set.of());
      }
      if (result.get() instanceof Result.Moved moved) {
        reached.putAll(moved.found());
      } else {
        writes.forEach(write -> reached.put(write.partition(), write.next()));
      }
    }
    return new Replayed(reached, gaps);
  }

  /**
   * What a gap is told of may be no longer so: whoever has moved a position on since it was
   * remembered lets its copies go. Looks once, and takes back gaps that are none.
   *
   * @return whether some position is another one, so that there may be more to do
   */
  private boolean looksAgain(
      StorageCluster primary,
      Set<Integer> remembered,
      Map<Integer, Position> reached,
      Set<PartitionGap> gaps) {
    var doubtful = new HashSet<>(remembered);
    doubtful.retainAll(gaps.stream().map(PartitionGap::partition).toList());
    if (doubtful.isEmpty()) {
      return false;
    }
    remembered.removeAll(doubtful);
    var found = writer.positions(primary, doubtful).orElse(Map.of());
    var moved = doubtful.stream().filter(p -> !reached.get(p).equals(found.get(p))).toList();
    gaps.removeIf(gap -> moved.contains(gap.partition()));
    moved.forEach(reached::remove);
    reached.putAll(found);
    return !moved.isEmpty();
  }

  /** The next transaction: what the buffers have next for each goal, as much as fits. */
  private List<Write> writes(
      StorageCluster primary,
      List<Goal> goals,
      Map<Integer, Position> reached,
      Set<PartitionGap> gaps) {
    var writes = new ArrayList<Write>();
    var room = new Room();
    for (var goal : goals) {
      var position = reached.get(goal.partition());
      for (var target : goal.targets().entrySet()) {
        var topic = target.getKey();
        boolean wanted = position != null && position.of(topic) < target.getValue();
        if (!wanted || gaps.contains(new PartitionGap(goal.partition(), topic))) {
          continue;
        }
        var next = chains.from(primary, topic, goal.partition(), position.of(topic), room);
        if (next instanceof Next.Later) {
          return writes;
        }
        if (next instanceof Next.Chain chain) {
          writes.add(write(goal.partition(), position, topic, chain));
          // The other topic's turn comes with the next transaction: a partition has one write.
          break;
        }
        gaps.add(new PartitionGap(goal.partition(), topic));
      }
    }
    return writes;
  }

  private static Write write(int partition, Position from, IngestTopic topic, Next.Chain chain) {
    return new Write(partition, from, from.with(topic, chain.end()), Map.of(topic, chain.cells()));
  }
}
