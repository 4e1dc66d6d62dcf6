package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferListing;
import io.cellmesh.storage.BufferListing.HeldCopy;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.LaneReach;
import io.cellmesh.storage.Node;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how much waits in the buffers, for whom and since when. One thread.
 *
 * <p>It looks every few seconds, and less often if a look takes long, as it does after hours
 * without a primary: a twentieth of a server's time at most.
 */
final class BufferWatch {
  private static final Logger LOG = LoggerFactory.getLogger(BufferWatch.class);

  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration TELL = Duration.ofSeconds(30);
  private static final int REST = 20;

  private final Topology topology;
  private final Nodes nodes;
  private final SinkMetrics metrics;
  private final BufferListing listing;

  /** A primary that is down keeps the position that it was last seen with. */
  private final Map<String, Map<Integer, Map<IngestTopic, Long>>> positions = new HashMap<>();

  /** When it was last said of a primary that cells wait for it. */
  private final Map<String, Long> told = new HashMap<>();

  private long next = System.nanoTime();

  BufferWatch(Topology topology, Nodes nodes, SinkMetrics metrics) {
    this.topology = topology;
    this.nodes = nodes;
    this.metrics = metrics;
    this.listing = new BufferListing(topology);
  }

  /** Looks at the buffers' copies of the given partitions, if it is time. */
  void run(Set<Integer> partitions) throws SQLException {
    long begin = System.nanoTime();
    if (begin - next < 0) {
      return;
    }
    var copies = partitions.isEmpty() ? List.<HeldCopy>of() : copies(partitions);
    var byPrimary = copies.stream().collect(Collectors.groupingBy(HeldCopy::primary));
    for (var primary : topology.clusters()) {
      waiting(primary, byPrimary.getOrDefault(primary.name(), List.of()));
    }
    long now = System.nanoTime();
    next = now + Math.max(INTERVAL.toNanos(), REST * (now - begin));
  }

  private List<HeldCopy> copies(Collection<Integer> partitions) throws SQLException {
    var copies = new ArrayList<HeldCopy>();
    for (var secondary : topology.clusters()) {
      var held = ask(secondary, connection -> listing.copies(connection, partitions));
      // A buffer that can't be read still holds what it held.
      held.ifPresent(
          list ->
              metrics.buffered(
                  secondary.name(),
                  list.stream().mapToLong(HeldCopy::cells).sum(),
                  list.stream().mapToLong(HeldCopy::ageMillis).max().orElse(0)));
      held.ifPresent(copies::addAll);
    }
    return copies;
  }

  private void waiting(StorageCluster primary, List<HeldCopy> copies) throws SQLException {
    if (!copies.isEmpty()) {
      ask(primary, listing::positions).ifPresent(found -> positions.put(primary.name(), found));
    }
    long cells = 0;
    long oldest = 0;
    var lanes =
        copies.stream()
            .collect(Collectors.groupingBy(copy -> List.of(copy.topic(), copy.partition())));
    for (var lane : lanes.values()) {
      var reach = LaneReach.of(lane, position(lane));
      cells += reach.waitingCells();
      oldest = Math.max(oldest, reach.oldestMillis());
    }
    metrics.waiting(primary.name(), cells, oldest);
    tell(primary, cells, oldest);
  }

  /** Whoever reads only the log shall know, too; now and then, since an outage can be long. */
  private void tell(StorageCluster primary, long cells, long oldestMillis) {
    long now = System.nanoTime();
    if (cells == 0) {
      if (told.remove(primary.name()) != null) {
        LOG.info("no cell of this task waits for {} any more", primary.name());
      }
    } else if (!nodes.of(primary.master()).writable()
        && now - told.getOrDefault(primary.name(), now - TELL.toNanos()) >= TELL.toNanos()) {
      told.put(primary.name(), now);
      LOG.warn(
          "the master of {} ({}) is down or takes no writes: {} cells of this task wait for it, the oldest for {} s",
          primary.name(),
          primary.master().address(),
          cells,
          oldestMillis / 1000);
    }
  }

  private long position(List<HeldCopy> lane) {
    var any = lane.get(0);
    var known = positions.getOrDefault(any.primary(), Map.of()).get(any.partition());
    return known == null
        ? lane.stream().mapToLong(HeldCopy::previous).min().orElseThrow()
        : known.get(any.topic());
  }

  private <T> Optional<T> ask(StorageCluster cluster, Node.Work<T> question) throws SQLException {
    try {
      return Optional.of(nodes.of(cluster.master()).read(PATIENCE, question));
    } catch (NodeUnavailableException e) {
      return Optional.empty();
    }
  }
}
