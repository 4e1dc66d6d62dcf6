package io.cellmesh.operations.ingest;

import io.cellmesh.cell.Topology;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.ingest.IngestFinding.State;
import io.cellmesh.storage.BufferTable;
import io.cellmesh.storage.CopyReaper;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.PositionTable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Moves positions to where a topic can go on. What is lost is lost already; this only lets what
 * follows go on. A topic that changed is read again from its beginning: what is stored already
 * changes nothing.
 */
public final class IngestAcceptance {
  private static final Duration BUFFERS_EMPTY = Duration.ofSeconds(60);

  private final Topology topology;
  private final Nodes nodes;
  private final BufferTable buffer;
  private final PositionTable positions;
  private final CopyReaper reaper;

  /**
   * @param nodes whose connections allow multi-statements
   */
  public IngestAcceptance(Topology topology, Nodes nodes) {
    this.topology = topology;
    this.nodes = nodes;
    this.buffer = new BufferTable(topology);
    this.positions = new PositionTable(topology);
    this.reaper = new CopyReaper(topology, nodes);
  }

  /**
   * Accepts findings.
   *
   * @param all every finding; those that are not bad are left alone
   * @throws OperationException if copies of a topic that changed still wait for a primary: its
   *     offsets mean something else from now on, so they must be applied first
   */
  public void accept(List<IngestFinding> all) throws SQLException {
    var changed = all.stream().filter(f -> f.state() == State.CHANGED).toList();
    if (!changed.isEmpty()) {
      emptyBuffers(changed);
    }
    for (var finding : all) {
      if (finding.bad()) {
        long to = finding.state() == State.CHANGED ? 0 : finding.to();
        move(finding, new Mark(to, 0));
      }
    }
  }

  private void move(IngestFinding finding, Mark to) throws SQLException {
    try {
      boolean moved =
          nodes
              .of(topology.cluster(finding.primary()).master())
              .call(
                  c ->
                      positions.move(
                          c, finding.partition(), finding.topic(), finding.position(), to));
      if (!moved) {
        throw OperationException.refused(
            "the position of %s in partition %d has moved meanwhile; look again"
                .formatted(finding.primary(), finding.partition()));
      }
    } catch (NodeUnavailableException e) {
      throw OperationException.unavailable(
          "the master of %s: %s".formatted(finding.primary(), e.getMessage()), e);
    }
  }

  /** Old copies would be taken for records of the new topic, which has the same offsets. */
  private void emptyBuffers(List<IngestFinding> changed) throws SQLException {
    long end = System.nanoTime() + BUFFERS_EMPTY.toNanos();
    while (true) {
      reaper.run(first -> concerns(first, changed));
      var left = firstCopy(changed);
      if (left == null) {
        return;
      }
      if (System.nanoTime() - end > 0) {
        throw OperationException.refused(
            "the buffers still hold copies of %s, partition %d of %s, up to offset %d: cells that were secured before the topic changed. They go once every minion of %s has them; bring back what is down (`cellmesh status`) and run this again"
                .formatted(
                    left.primary(),
                    left.partition(),
                    left.topic().of(topology.topics()),
                    left.last(),
                    left.primary()));
      }
      try {
        TimeUnit.SECONDS.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw OperationException.failed("stopped");
      }
    }
  }

  private BufferTable.Ends firstCopy(List<IngestFinding> changed) throws SQLException {
    for (var secondary : topology.clusters()) {
      try {
        for (var first : nodes.of(secondary.master()).call(buffer::ends)) {
          if (concerns(first, changed)) {
            return first;
          }
        }
      } catch (NodeUnavailableException e) {
        throw OperationException.unavailable(
            "the buffer of %s must be looked at first: %s"
                .formatted(secondary.name(), e.getMessage()),
            e);
      }
    }
    return null;
  }

  private static boolean concerns(BufferTable.Ends first, List<IngestFinding> changed) {
    return changed.stream()
        .anyMatch(f -> f.topic() == first.topic() && f.partition() == first.partition());
  }
}
