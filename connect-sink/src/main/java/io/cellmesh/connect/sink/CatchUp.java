package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferTable;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings lanes forward that are behind: from the buffers where the copies reach without a gap, else
 * by reading the topic again from the position (invariants 2 and 6).
 */
final class CatchUp {
  private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);

  /** Longest stay with one primary at a time, since new cells of the others wait meanwhile. */
  private static final Duration TURN = Duration.ofSeconds(1);

  private static final int COPIES_AT_ONCE = 16;

  private final Topology topology;
  private final Nodes nodes;
  private final BufferTable buffer;
  private final LaneWriter writer;
  private final Lanes lanes;
  private final SideBySide sideBySide;

  CatchUp(
      Topology topology,
      Nodes nodes,
      BufferTable buffer,
      LaneWriter writer,
      Lanes lanes,
      SideBySide sideBySide) {
    this.topology = topology;
    this.nodes = nodes;
    this.buffer = buffer;
    this.writer = writer;
    this.lanes = lanes;
    this.sideBySide = sideBySide;
  }

  /**
   * Gives each primary that is behind a turn.
   *
   * @return from where topics must be read again
   */
  Map<TopicPartition, Long> run() {
    var rewinds = new ConcurrentHashMap<TopicPartition, Long>();
    var behind =
        topology.clusters().stream()
            .filter(primary -> lanes.of(primary).stream().anyMatch(Lane::behind))
            .toList();
    if (!behind.isEmpty()) {
      sideBySide.run(behind, primary -> catchUp(primary, rewinds));
    }
    return rewinds;
  }

  private void catchUp(StorageCluster primary, Map<TopicPartition, Long> rewinds) {
    long end = System.nanoTime() + TURN.toNanos();
    var waiting = lanes.of(primary).stream().filter(Lane::behind).toList();
    writer.readPositions(primary, waiting.stream().filter(lane -> !lane.positionKnown()).toList());
    for (var lane : waiting) {
      for (var topic : IngestTopic.values()) {
        while (lane.positionKnown() && lane.behind(topic)) {
          if (System.nanoTime() - end > 0) {
            return;
          }
          if (!step(lane, topic)) {
            rewind(lane, topic, rewinds);
          }
        }
      }
    }
  }

  /** Applies what the buffers have next; false if they have a gap behind the position. */
  private boolean step(Lane lane, IngestTopic topic) {
    var copies = read(lane, topic);
    var next = reaching(copies, lane.applied(topic));
    if (next.isEmpty()) {
      return false;
    }
    while (next.isPresent() && lane.behind(topic) && writer.apply(lane, next.get())) {
      next = reaching(copies, lane.applied(topic));
    }
    return true;
  }

  /** Of the copies that join what is applied the one that reaches farthest. */
  private static Optional<Copy> reaching(List<Copy> copies, long applied) {
    return copies.stream()
        .filter(copy -> copy.previous() <= applied && applied < copy.next())
        .max(Comparator.comparingLong(Copy::next));
  }

  private List<Copy> read(Lane lane, IngestTopic topic) {
    var copies = new ArrayList<Copy>();
    for (var secondary : topology.clusters()) {
      if (!secondary.name().equals(lane.primary().name())) {
        try {
          copies.addAll(
              nodes
                  .of(secondary.master())
                  .call(
                      connection ->
                          buffer.read(
                              connection,
                              lane.primary().name(),
                              topic,
                              lane.partition(),
                              lane.applied(topic),
                              COPIES_AT_ONCE)));
        } catch (NodeUnavailableException e) {
          LOG.warn("the buffer of {} can't be read: {}", secondary.name(), e.getMessage());
        } catch (SQLException e) {
          throw new ConnectException(
              "the buffer of %s (%s): %s"
                  .formatted(secondary.name(), secondary.master().address(), e.getMessage()),
              e);
        }
      }
    }
    return copies;
  }

  private void rewind(Lane lane, IngestTopic topic, Map<TopicPartition, Long> rewinds) {
    var at = new TopicPartition(topic.of(topology.topics()), lane.partition());
    lane.rewind(topic);
    LOG.info(
        "the buffers don't reach back to the position of {}; reading {} again from {}",
        lane.primary().name(),
        at,
        lane.applied(topic));
    rewinds.merge(at, lane.applied(topic), Math::min);
  }
}
