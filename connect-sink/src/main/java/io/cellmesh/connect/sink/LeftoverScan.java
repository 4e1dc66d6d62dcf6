package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.base.TaskThreads;
import io.cellmesh.storage.BufferStore;
import io.cellmesh.storage.BufferTable.Ends;
import io.cellmesh.storage.NodeUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans the buffers for what an earlier owner left in them. Records that come begin a lane, and
 * show what it lacks; where none come any more the cells that wait would wait for ever (invariant
 * 6).
 *
 * <p>Looks again until every primary of a partition has been asked and has all that was left.
 */
final class LeftoverScan {
  private static final Logger LOG = LoggerFactory.getLogger(LeftoverScan.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Topology topology;
  private final BufferStore buffers;
  private final Lanes lanes;
  private final LaneWriter laneWriter;
  private final TaskThreads threads;
  private final Set<Integer> open = new HashSet<>();
  private final Map<String, Future<List<Ends>>> asked = new HashMap<>();
  private final Set<String> answered = new HashSet<>();

  /** Who has been asked since partitions were opened, and has answered or can't. */
  private final Set<String> heard = new HashSet<>();

  private long next;

  LeftoverScan(
      Topology topology,
      BufferStore buffers,
      Lanes lanes,
      LaneWriter laneWriter,
      TaskThreads threads) {
    this.topology = topology;
    this.buffers = buffers;
    this.lanes = lanes;
    this.laneWriter = laneWriter;
    this.threads = threads;
    this.next = threads.nanoTime();
  }

  void open(Collection<Integer> partitions) {
    open.addAll(partitions);
    // What was asked before tells nothing of what was left since.
    asked.clear();
    answered.clear();
    heard.clear();
  }

  void close(Collection<Integer> partitions) {
    open.removeAll(partitions);
  }

  /** Whether lanes of a partition know what was left for them, as far as buffers can be read. */
  boolean knows(int partition) {
    return !open.contains(partition) || heard.size() == topology.clusters().size();
  }

  /** Tells lanes what was left for them, as far as buffers have answered; waits for none. */
  void run() {
    if (open.isEmpty()) {
      return;
    }
    hear();
    if (threads.nanoTime() - next < 0) {
      return;
    }
    next = threads.deadline(PAUSE);
    if (answered.size() == topology.clusters().size()) {
      open.removeIf(
          p -> lanes.ofPartition(p).stream().allMatch(l -> l.positionKnown() && !l.leftBehind()));
    }
    laneWriter.readPositions(taken().filter(lane -> !lane.positionKnown()).toList(), PATIENCE);
    for (var cluster : topology.clusters()) {
      asked.computeIfAbsent(cluster.name(), name -> threads.submit(() -> buffers.ends(cluster)));
    }
  }

  private void hear() {
    for (var cluster : topology.clusters()) {
      var answer = asked.get(cluster.name());
      if (answer != null && answer.isDone()) {
        asked.remove(cluster.name());
        heard.add(cluster.name());
        ends(answer)
            .ifPresent(
                found -> {
                  answered.add(cluster.name());
                  found.forEach(this::tell);
                });
      }
    }
  }

  private void tell(Ends ends) {
    taken()
        .filter(lane -> ends.primary().equals(lane.primary().name()))
        .filter(lane -> ends.partition() == lane.partition())
        .forEach(lane -> lane.left(ends.topic(), ends.last()));
  }

  private Stream<Lane> taken() {
    return open.stream().flatMap(partition -> lanes.ofPartition(partition).stream());
  }

  /** What a buffer has of each lane; empty if it can't be looked at just now. */
  private static Optional<List<Ends>> ends(Future<List<Ends>> answer) {
    try {
      return Optional.of(answer.get());
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof NodeUnavailableException)
          && !(e.getCause() instanceof SQLException)) {
        throw new ConnectException("the buffers can't be looked at", e.getCause());
      }
      LOG.debug("a buffer can't be looked at: {}", e.getCause().getMessage());
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("stopped while looking at the buffers", e);
    }
  }
}
