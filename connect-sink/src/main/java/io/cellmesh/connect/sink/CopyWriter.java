package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferTable;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.EpochTable;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.Node;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.StaleEpochException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes copies to secondaries that it draws at random, those that are gone or slow last.
 * Thread-safe.
 */
final class CopyWriter {
  private static final Logger LOG = LoggerFactory.getLogger(CopyWriter.class);

  /** Longest wait for a secondary's answer; then it is left alone until it answers. */
  private static final Duration ANSWER = Duration.ofSeconds(3);

  /** So many times slower than the fastest is slow, and such a time is always good enough. */
  private static final int SLOW = 4;

  private static final double GOOD_NANOS = Duration.ofMillis(50).toNanos();

  private final Topology topology;
  private final Nodes nodes;
  private final BufferTable buffer;
  private final EpochTable epochs;
  private final Random random;
  private final Executor threads;
  private final SinkMetrics metrics;
  private final Map<String, Pace> paces = new ConcurrentHashMap<>();

  /**
   * @param threads may take as many tasks at once as there are servers, and more
   */
  CopyWriter(
      Topology topology,
      Nodes nodes,
      BufferTable buffer,
      Random random,
      Executor threads,
      SinkMetrics metrics) {
    this.topology = topology;
    this.nodes = nodes;
    this.buffer = buffer;
    this.epochs = new EpochTable(topology);
    this.random = random;
    this.threads = threads;
    this.metrics = metrics;
  }

  /** Draws the secondaries for copies of one primary's cells, and has them written on demand. */
  CopyDelivery delivery(StorageCluster primary, List<Copy> copies) {
    return delivery(primary, copies, Set.of());
  }

  /**
   * As {@link #delivery(StorageCluster, List)}, but to others.
   *
   * @param holders names of the secondaries that have the copies
   */
  CopyDelivery delivery(StorageCluster primary, List<Copy> copies, Set<String> holders) {
    var drawn = drawn(primary);
    drawn.removeIf(secondary -> holders.contains(secondary.name()));
    return new CopyDelivery(
        secondary -> insert(secondary, primary, copies),
        primary.name(),
        drawn,
        TimeUnit.NANOSECONDS.toMillis((long) (SLOW * slow(drawn))),
        threads);
  }

  /** Whether a secondary took copies; false if it can't be reached just now. */
  private boolean insert(StorageCluster secondary, StorageCluster primary, List<Copy> copies) {
    var pace = pace(secondary);
    long begin = System.nanoTime();
    pace.begin(begin);
    boolean taken = false;
    try {
      node(secondary)
          .write(
              ANSWER,
              connection -> {
                insert(connection, secondary, primary, copies);
                return null;
              });
      taken = true;
      metrics.hop(SinkMetric.Hop.COPY, System.nanoTime() - begin);
      return true;
    } catch (NodeUnavailableException e) {
      LOG.warn(
          "secondary {} can't take copies of {}: {}",
          secondary.name(),
          primary.name(),
          e.getMessage());
      return false;
    } catch (SQLException e) {
      throw new ConnectException(
          "secondary %s (%s) refused a copy: %s"
              .formatted(secondary.name(), secondary.master().address(), MySqlErrors.explain(e)),
          e);
    } finally {
      pace.ended(begin, System.nanoTime(), taken);
    }
  }

  /**
   * A secondary that was away during a promotion learns of it here, from whoever has the newer map;
   * from then on it refuses older ones.
   */
  private void insert(
      Connection connection, StorageCluster secondary, StorageCluster primary, List<Copy> copies)
      throws SQLException {
    try {
      buffer.insert(connection, primary.name(), primary.epoch(), copies);
    } catch (StaleEpochException e) {
      if (!epochs.raise(connection, primary.name(), primary.epoch())) {
        throw e;
      }
      LOG.info(
          "secondary {} learns of epoch {} of {}",
          secondary.name(),
          primary.epoch(),
          primary.name());
      buffer.insert(connection, primary.name(), primary.epoch(), copies);
    }
  }

  /** The secondaries in random order, slow ones at the end, and after them what takes no writes. */
  private List<StorageCluster> drawn(StorageCluster primary) {
    var all = new ArrayList<>(topology.secondariesOf(primary));
    Collections.shuffle(all, random);
    double slow = slow(all);
    long now = System.nanoTime();
    // Looked up once, for they change while the list is sorted.
    var ranks = new HashMap<String, Integer>();
    for (var secondary : all) {
      int rank = !node(secondary).writable() ? 2 : pace(secondary).expected(now) > slow ? 1 : 0;
      ranks.put(secondary.name(), rank);
    }
    all.sort(Comparator.comparing(secondary -> ranks.get(secondary.name())));
    return all;
  }

  /** The nanoseconds beyond which a secondary is slow, compared with the others. */
  private double slow(List<StorageCluster> secondaries) {
    long now = System.nanoTime();
    double fastest =
        secondaries.stream()
            .filter(c -> node(c).writable())
            .mapToDouble(c -> pace(c).expected(now))
            .min()
            .orElse(0);
    return Math.max(GOOD_NANOS, SLOW * fastest);
  }

  private Pace pace(StorageCluster secondary) {
    return paces.computeIfAbsent(secondary.name(), name -> new Pace());
  }

  private Node node(StorageCluster cluster) {
    return nodes.of(cluster.master());
  }
}
