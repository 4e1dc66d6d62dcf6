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
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes copies to secondaries that it draws at random. Thread-safe. */
final class CopyWriter {
  private static final Logger LOG = LoggerFactory.getLogger(CopyWriter.class);

  /** Longest wait for a secondary's answer; then another is drawn. */
  private static final Duration ANSWER = Duration.ofSeconds(3);

  private final Topology topology;
  private final Nodes nodes;
  private final BufferTable buffer;
  private final EpochTable epochs;
  private final Random random;
  private final SinkMetrics metrics;

  CopyWriter(
      Topology topology, Nodes nodes, BufferTable buffer, Random random, SinkMetrics metrics) {
    this.topology = topology;
    this.nodes = nodes;
    this.buffer = buffer;
    this.epochs = new EpochTable(topology);
    this.random = random;
    this.metrics = metrics;
  }

  /**
   * Writes copies of one primary's cells, and returns when they are committed.
   *
   * @param wanted on how many secondaries, if so many can be reached
   * @param except names of secondaries that hold the same copies already
   * @return names of the secondaries that took them; empty only if some were excepted
   * @throws RetriableException if none took them and none was excepted: nothing is secured then
   */
  Set<String> write(StorageCluster primary, List<Copy> copies, int wanted, Set<String> except) {
    var took = new HashSet<String>();
    Exception last = null;
    for (var secondary : drawn(primary)) {
      if (took.size() == wanted) {
        break;
      }
      if (except.contains(secondary.name())) {
        continue;
      }
      try {
        long begin = System.nanoTime();
        node(secondary)
            .write(
                ANSWER,
                connection -> {
                  insert(connection, secondary, primary, copies);
                  return null;
                });
        metrics.hop(SinkMetric.Hop.COPY, System.nanoTime() - begin);
        took.add(secondary.name());
      } catch (NodeUnavailableException e) {
        LOG.warn(
            "secondary {} can't take copies of {}: {}",
            secondary.name(),
            primary.name(),
            e.getMessage());
        last = e;
      } catch (SQLException e) {
        throw new ConnectException(
            "secondary %s (%s) refused a copy: %s"
                .formatted(secondary.name(), secondary.master().address(), MySqlErrors.explain(e)),
            e);
      }
    }
    if (took.isEmpty() && except.isEmpty()) {
      throw new RetriableException(
          "no secondary of cluster "
              + primary.name()
              + " can be reached; nothing is secured until one is",
          last);
    }
    return took;
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

  /** The secondaries in random order, those whose last call failed at the end. */
  private List<StorageCluster> drawn(StorageCluster primary) {
    var all = new ArrayList<>(topology.secondariesOf(primary));
    Collections.shuffle(all, random);
    all.sort(Comparator.comparing((StorageCluster c) -> node(c).writable()).reversed());
    return all;
  }

  private Node node(StorageCluster cluster) {
    return nodes.of(cluster.master());
  }
}
