package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferTable;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.Node;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes copies to secondaries that it draws at random. Thread-safe. */
final class CopyWriter {
  private static final Logger LOG = LoggerFactory.getLogger(CopyWriter.class);

  private final Topology topology;
  private final Nodes nodes;
  private final BufferTable buffer;
  private final int copies;
  private final Random random;

  /**
   * @param copies how many secondaries get each copy
   */
  CopyWriter(Topology topology, Nodes nodes, BufferTable buffer, int copies, Random random) {
    this.topology = topology;
    this.nodes = nodes;
    this.buffer = buffer;
    this.copies = copies;
    this.random = random;
  }

  /**
   * Writes the copies of one primary, and returns when they are committed. While the primary is
   * down each stands on two secondaries, where there are two.
   *
   * @throws RetriableException if no secondary can be reached: nothing is secured then
   */
  void write(StorageCluster primary, List<Copy> batch) {
    int wanted = nodes.of(primary.master()).healthy() ? copies : Math.max(2, copies);
    int written = 0;
    Exception last = null;
    for (var secondary : drawn(primary)) {
      if (written == wanted) {
        return;
      }
      try {
        nodes
            .of(secondary.master())
            .call(
                connection -> {
                  buffer.insert(connection, primary.name(), primary.epoch(), batch);
                  return null;
                });
        written++;
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
                .formatted(secondary.name(), secondary.master().address(), e.getMessage()),
            e);
      }
    }
    if (written == 0) {
      throw new RetriableException(
          "no secondary of cluster "
              + primary.name()
              + " can be reached; nothing is secured until one is",
          last);
    }
  }

  /** The secondaries in random order, those whose last call failed at the end. */
  private List<StorageCluster> drawn(StorageCluster primary) {
    var all = new ArrayList<>(topology.secondariesOf(primary));
    Collections.shuffle(all, random);
    all.sort(Comparator.comparing((StorageCluster c) -> node(c).healthy()).reversed());
    return all;
  }

  private Node node(StorageCluster cluster) {
    return nodes.of(cluster.master());
  }
}
