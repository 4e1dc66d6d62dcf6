package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.storage.BufferTable;
import io.cellmesh.storage.BufferTable.Ends;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks what an earlier owner left in the buffers. Records that come begin a lane, and show what it
 * lacks; where none come any more the cells that wait would wait for ever (invariant 6).
 *
 * <p>Looks again until every primary of a partition has been asked and has all that was left.
 */
final class Takeover {
  private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Topology topology;
  private final Nodes nodes;
  private final BufferTable buffer;
  private final Lanes lanes;
  private final LaneWriter laneWriter;
  private final ExecutorService threads;
  private final Set<Integer> open = new HashSet<>();
  private long next = System.nanoTime();

  Takeover(
      Topology topology,
      Nodes nodes,
      BufferTable buffer,
      Lanes lanes,
      LaneWriter laneWriter,
      ExecutorService threads) {
    this.topology = topology;
    this.nodes = nodes;
    this.buffer = buffer;
    this.lanes = lanes;
    this.laneWriter = laneWriter;
    this.threads = threads;
  }

  void open(Collection<Integer> partitions) {
    open.addAll(partitions);
  }

  void close(Collection<Integer> partitions) {
    open.removeAll(partitions);
  }

  /** Tells lanes what was left for them; does nothing most of the times it is called. */
  void run() {
    if (open.isEmpty() || System.nanoTime() - next < 0) {
      return;
    }
    next = Primaries.deadline(PAUSE);
    var taken = open.stream().flatMap(p -> lanes.ofPartition(p).stream()).toList();
    laneWriter.readPositions(
        taken.stream().filter(lane -> !lane.positionKnown()).toList(),
        Primaries.deadline(PATIENCE));
    var found = new ArrayList<Ends>();
    boolean all = look(found);
    for (var lane : taken) {
      found.stream()
          .filter(ends -> ends.primary().equals(lane.primary().name()))
          .filter(ends -> ends.partition() == lane.partition())
          .forEach(ends -> lane.left(ends.topic(), ends.last()));
    }
    if (all) {
      open.removeIf(
          p -> lanes.ofPartition(p).stream().allMatch(l -> l.positionKnown() && !l.leftBehind()));
    }
  }

  /** Asks every buffer, and says whether all have answered. */
  private boolean look(List<Ends> found) {
    boolean all = true;
    var asked =
        topology.clusters().stream()
            .map(c -> threads.submit(() -> nodes.of(c.master()).call(buffer::ends)))
            .toList();
    long deadline = Primaries.deadline(PATIENCE);
    for (var answer : asked) {
      try {
        found.addAll(answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
      } catch (TimeoutException e) {
        all = false;
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof NodeUnavailableException)
            && !(e.getCause() instanceof SQLException)) {
          throw new ConnectException("the buffers can't be looked at", e.getCause());
        }
        LOG.debug("a buffer can't be looked at: {}", e.getCause().getMessage());
        all = false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ConnectException("stopped while looking at the buffers", e);
      }
    }
    return all;
  }
}
