package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferListing;
import io.cellmesh.storage.BufferListing.ListedCopy;
import io.cellmesh.storage.ConnectionCallback;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.LaneWaiting;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how much waits in the buffers, for whom and since when. One thread.
 *
 * <p>It looks every few seconds, and less often if a look takes long, as it does after hours
 * without a primary: a twentieth of a server's time at most.
 */
final class BufferMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(BufferMonitor.class);

  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration TELL = Duration.ofSeconds(30);
  private static final int REST = 20;

  /** Copies that are in memory at a time, of each buffer. */
  private static final int PAGE = 2000;

  private final Topology topology;
  private final Nodes nodes;
  private final SinkMetrics metrics;
  private final BufferListing listing;

  /** A primary that is down keeps the position that it was last seen with. */
  private final Map<String, Map<Integer, Map<IngestTopic, Long>>> positions = new HashMap<>();

  /** When it was last said of a primary that cells wait for it. */
  private final Map<String, Long> told = new HashMap<>();

  private long next = System.nanoTime();

  BufferMonitor(Topology topology, Nodes nodes, SinkMetrics metrics) {
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
    var lanes = partitions.isEmpty() ? Map.<Lane, LaneWaiting>of() : lanes(partitions);
    for (var primary : topology.clusters()) {
      long cells = 0;
      long oldest = 0;
      for (var lane : lanes.entrySet()) {
        if (lane.getKey().primary().equals(primary.name())) {
          cells += lane.getValue().cells();
          oldest = Math.max(oldest, lane.getValue().oldestMillis());
        }
      }
      metrics.waiting(primary.name(), cells, oldest);
      tell(primary, cells, oldest);
    }
    long now = System.nanoTime();
    next = now + rest(now - begin, topology.shards().partitions(), partitions.size());
  }

  /**
   * The nanoseconds until the next look. As many tasks look as share the partitions, each at whole
   * buffers, and all of them together take a twentieth of the time.
   *
   * @param took nanoseconds of the last look
   * @param all partitions
   * @param owned partitions of this task
   */
  static long rest(long took, int all, int owned) {
    long tasks = owned == 0 ? 1 : all / owned;
    return Math.max(INTERVAL.toNanos(), REST * tasks * took);
  }

  private record Lane(String primary, IngestTopic topic, int partition) {}

  /** How far one buffer was read. */
  private static final class Scan {
    private final StorageCluster secondary;
    private long last;
    private long cells;
    private long oldest;

    Scan(StorageCluster secondary) {
      this.secondary = secondary;
    }

    void add(ListedCopy copy) {
      last = copy.id();
      cells += copy.cells();
      oldest = Math.max(oldest, copy.ageMillis());
    }
  }

  /**
   * Reads all buffers page by page and in step, so that the copies of one time come together and
   * join, and little need be remembered.
   */
  private Map<Lane, LaneWaiting> lanes(Collection<Integer> partitions) throws SQLException {
    var lanes = new HashMap<Lane, LaneWaiting>();
    var fresh = new HashSet<String>();
    var scans = new ArrayList<>(topology.clusters().stream().map(Scan::new).toList());
    while (!scans.isEmpty()) {
      for (var scan : List.copyOf(scans)) {
        var page = ask(scan.secondary, c -> listing.page(c, partitions, scan.last, PAGE));
        for (var copy : page.orElse(List.of())) {
          scan.add(copy);
          if (fresh.add(copy.primary())) {
            readPositions(copy.primary());
          }
          var lane = new Lane(copy.primary(), copy.topic(), copy.partition());
          lanes.computeIfAbsent(lane, l -> new LaneWaiting(position(l))).add(copy);
        }
        // A buffer that can't be read still holds what it held.
        if (page.isPresent() && page.get().size() < PAGE) {
          metrics.buffered(scan.secondary.name(), scan.cells, scan.oldest);
        }
        if (page.isEmpty() || page.get().size() < PAGE) {
          scans.remove(scan);
        }
      }
    }
    return lanes;
  }

  private void readPositions(String primary) throws SQLException {
    for (var cluster : topology.clusters()) {
      if (cluster.name().equals(primary)) {
        ask(cluster, listing::positions).ifPresent(found -> positions.put(primary, found));
      }
    }
  }

  /** All copies count while the position is not known. */
  private long position(Lane lane) {
    var known = positions.getOrDefault(lane.primary(), Map.of()).get(lane.partition());
    return known == null ? 0 : known.get(lane.topic());
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
          "the master of {} ({}) is down, answers too slowly or takes no writes: {} cells of this task wait for it, the oldest for {} s",
          primary.name(),
          primary.master().address(),
          cells,
          oldestMillis / 1000);
    }
  }

  private <T> Optional<T> ask(StorageCluster cluster, ConnectionCallback<T> question)
      throws SQLException {
    try {
      return Optional.of(nodes.of(cluster.master()).read(PATIENCE, question));
    } catch (NodeUnavailableException e) {
      return Optional.empty();
    }
  }
}
