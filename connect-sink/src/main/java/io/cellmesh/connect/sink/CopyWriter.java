package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.base.TaskThreads;
import io.cellmesh.storage.BufferStore;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.ServerHealth;
import io.cellmesh.storage.StaleEpochException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes copies to secondaries that it draws at random, those that are gone or slow last. What a
 * batch has of several primaries goes to the same one while that is little: then a copy costs its
 * commit and not its bytes, and a commit for all costs what one costs. Thread-safe.
 */
final class CopyWriter {
  private static final Logger LOG = LoggerFactory.getLogger(CopyWriter.class);

  /** Longest wait for a secondary's answer; then it is left alone until it answers. */
  private static final Duration ANSWER = Duration.ofSeconds(3);

  /** So many times slower than the fastest is slow, and such a time is always good enough. */
  private static final int SLOW = 4;

  /** So many bytes of cells take a secondary longer than a commit, and are better spread. */
  private static final long TOGETHER = 64 << 10;

  private static final double GOOD_NANOS = Duration.ofMillis(50).toNanos();

  private final Topology topology;
  private final ServerHealth health;
  private final BufferStore buffers;
  private final Random random;
  private final TaskThreads threads;
  private final SinkMetrics metrics;
  private final Map<String, Pace> paces = new ConcurrentHashMap<>();

  /**
   * @param threads may take as many tasks at once as there are servers, and more
   */
  CopyWriter(
      Topology topology,
      ServerHealth health,
      BufferStore buffers,
      Random random,
      TaskThreads threads,
      SinkMetrics metrics) {
    this.topology = topology;
    this.health = health;
    this.buffers = buffers;
    this.random = random;
    this.threads = threads;
    this.metrics = metrics;
  }

  /** Draws secondaries for what a batch has of each primary, and has it written on demand. */
  Map<StorageCluster, CopyDelivery> deliveries(Map<StorageCluster, List<Copy>> copies) {
    var deliveries = new LinkedHashMap<StorageCluster, CopyDelivery>();
    var drawn = drawn();
    long bytes = 0;
    for (var one : copies.entrySet()) {
      long more = bytes(one.getValue());
      bytes += more;
      if (bytes > TOGETHER) {
        drawn = drawn();
        bytes = more;
      }
      deliveries.put(one.getKey(), delivery(one.getKey(), one.getValue(), drawn, Set.of()));
    }
    return deliveries;
  }

  /**
   * Draws secondaries for copies of one primary, which it has written on demand.
   *
   * @param holders names of the secondaries that have the copies
   */
  CopyDelivery delivery(StorageCluster primary, List<Copy> copies, Set<String> holders) {
    return delivery(primary, copies, drawn(), holders);
  }

  private CopyDelivery delivery(
      StorageCluster primary, List<Copy> copies, List<StorageCluster> drawn, Set<String> holders) {
    var secondaries =
        drawn.stream()
            .filter(secondary -> !secondary.equals(primary))
            .filter(secondary -> !holders.contains(secondary.name()))
            .toList();
    return new CopyDelivery(
        this::insert,
        primary,
        copies,
        secondaries,
        TimeUnit.NANOSECONDS.toMillis((long) (SLOW * slow(secondaries))),
        threads);
  }

  private static long bytes(List<Copy> copies) {
    return copies.stream()
        .flatMap(copy -> copy.cells().stream())
        .mapToLong(cell -> cell.cell().body().stored().length)
        .sum();
  }

  /** Whether a secondary took copies; false if it can't be reached just now. */
  private boolean insert(StorageCluster secondary, Map<StorageCluster, List<Copy>> copies) {
    var pace = pace(secondary);
    long begin = threads.nanoTime();
    pace.begin(begin);
    boolean taken = false;
    try {
      write(secondary, copies);
      taken = true;
      metrics.hop(SinkMetric.Hop.COPY, threads.nanoTime() - begin);
      return true;
    } catch (NodeUnavailableException e) {
      LOG.warn(
          "secondary {} can't take copies of {}: {}",
          secondary.name(),
          copies.keySet().stream().map(StorageCluster::name).collect(Collectors.joining(", ")),
          e.getMessage());
      return false;
    } catch (SQLException e) {
      throw new ConnectException(
          "secondary %s (%s) refused a copy: %s"
              .formatted(secondary.name(), secondary.master().address(), MySqlErrors.explain(e)),
          e);
    } finally {
      pace.ended(begin, threads.nanoTime(), taken);
    }
  }

  /**
   * A secondary that was away during a promotion learns of it here, from whoever has the newer map;
   * from then on it refuses older ones.
   */
  private void write(StorageCluster secondary, Map<StorageCluster, List<Copy>> copies)
      throws SQLException, NodeUnavailableException {
    try {
      buffers.insert(secondary, copies, ANSWER);
    } catch (StaleEpochException e) {
      raise(secondary, copies.keySet());
      // Also where nothing was raised: another task may have been faster.
      buffers.insert(secondary, copies, ANSWER);
    }
  }

  private void raise(StorageCluster secondary, Collection<StorageCluster> primaries)
      throws SQLException, NodeUnavailableException {
    for (var primary : primaries) {
      if (buffers.raiseEpoch(secondary, primary, ANSWER)) {
        LOG.info(
            "secondary {} learns of epoch {} of {}",
            secondary.name(),
            primary.epoch(),
            primary.name());
      }
    }
  }

  /** All clusters in random order, slow ones at the end, and after them what takes no writes. */
  private List<StorageCluster> drawn() {
    var all = new ArrayList<>(topology.clusters());
    Collections.shuffle(all, random);
    double slow = slow(all);
    long now = threads.nanoTime();
    // Looked up once, for they change while the list is sorted.
    var ranks = new HashMap<String, Integer>();
    for (var secondary : all) {
      int rank = !writable(secondary) ? 2 : pace(secondary).expected(now) > slow ? 1 : 0;
      ranks.put(secondary.name(), rank);
    }
    all.sort(Comparator.comparing(secondary -> ranks.get(secondary.name())));
    return all;
  }

  /** The nanoseconds beyond which a secondary is slow, compared with the others. */
  private double slow(List<StorageCluster> secondaries) {
    long now = threads.nanoTime();
    double fastest =
        secondaries.stream()
            .filter(this::writable)
            .mapToDouble(c -> pace(c).expected(now))
            .min()
            .orElse(0);
    return Math.max(GOOD_NANOS, SLOW * fastest);
  }

  private Pace pace(StorageCluster secondary) {
    return paces.computeIfAbsent(secondary.name(), name -> new Pace());
  }

  private boolean writable(StorageCluster cluster) {
    return health.writable(cluster.master());
  }
}
