package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.CatchUp.Rewind;
import io.cellmesh.connect.sink.Continuity.Finding;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acts on what {@link Continuity} finds: has records read again, leaves a single primary's lane
 * stuck, or stops the task where going on would skip records in silence (invariants 2 and 4).
 */
final class Surveillance {
  private static final Logger LOG = LoggerFactory.getLogger(Surveillance.class);

  private final Topology topology;
  private final Continuity continuity;
  private final Lanes lanes;
  private final SinkMetrics metrics;

  Surveillance(Topology topology, Continuity continuity, Lanes lanes, SinkMetrics metrics) {
    this.topology = topology;
    this.continuity = continuity;
    this.lanes = lanes;
    this.metrics = metrics;
  }

  /**
   * The ranges that may be written.
   *
   * @throws ConnectException if a topic is not the one that was read before, with the way on
   */
  Batch judge(Batch batch, Consumer<Map<TopicPartition, Long>> rewind) {
    var follow = new ArrayList<Batch.Range>();
    for (var range : batch.ranges()) {
      if (!continuity.watches(range.at())) {
        begin(range);
      }
      var finding = continuity.judge(range);
      if (finding instanceof Finding.ReadFrom from) {
        LOG.info(
            "{} goes on at {}; reading from {} to see what came before",
            range.at(),
            range.first(),
            from.offset());
        rewind.accept(Map.of(range.at(), from.offset()));
      } else if (finding instanceof Finding.Changed changed) {
        throw new ConnectException(changed(range.at(), changed));
      } else {
        if (finding instanceof Finding.Expired expired) {
          expired(range, expired);
        }
        follow.add(range);
      }
    }
    return new Batch(follow, batch.records());
  }

  /** The ranges of a batch are written. */
  void seen(Batch batch) {
    batch.ranges().forEach(continuity::seen);
  }

  /** Has a topic read again from a lane's position. */
  void rewind(Rewind asked, Consumer<Map<TopicPartition, Long>> rewind) {
    var topic = asked.topic();
    var at = at(topic, asked.lane().partition());
    var lowest =
        lanes.ofPartition(at.partition()).stream()
            .filter(lane -> lane.rewinding(topic))
            .map(lane -> lane.stored().mark(topic))
            .min(Comparator.comparingLong(Mark::next))
            .orElseThrow();
    metrics.rewound();
    rewind.accept(Map.of(at, continuity.rewindTo(at, lowest).offset()));
  }

  /** Says how many lanes stand still, since nobody has what they need next. */
  void tellGaps() {
    for (var primary : topology.clusters()) {
      metrics.gaps(
          primary.name(),
          lanes.of(primary).stream()
              .filter(lane -> lane.stuck(IngestTopic.CELLS) || lane.stuck(IngestTopic.MESH))
              .count());
    }
  }

  /** Up to where a partition was read; null if it was not, or is being read again. */
  Mark end(IngestTopic topic, int partition) {
    var at = at(topic, partition);
    return continuity.waits(at) ? null : continuity.known(at);
  }

  /** Whether records that were asked for have not come yet. */
  boolean waits(TopicPartition at) {
    return continuity.waits(at);
  }

  void forget(TopicPartition at) {
    continuity.forget(at);
  }

  private void begin(Batch.Range range) {
    lanes.ofPartition(range.partition()).stream()
        .filter(Lane::positionKnown)
        .map(lane -> lane.stored().mark(range.topic()))
        .max(Comparator.comparingLong(Mark::next))
        .ifPresentOrElse(
            farthest -> continuity.begin(range.at(), farthest), () -> continuity.beginAt(range));
  }

  /** Records are gone that some primary lacks: it waits alone if the others have them. */
  private void expired(Batch.Range range, Finding.Expired expired) {
    var topic = range.topic();
    var missing =
        lanes.ofPartition(range.partition()).stream()
            .filter(lane -> lane.rewinding(topic) && lane.stored().of(topic) < expired.to())
            .toList();
    if (missing.isEmpty()) {
      throw new ConnectException(
          "%s no longer has the records from %d up to %d, and no primary has them: their retention is over. Nothing goes on, so that nothing is skipped in silence. %s"
              .formatted(range.at(), expired.from(), expired.to(), wayOn(range.at())));
    }
    for (var lane : missing) {
      LOG.error(
          "cells of {} from {} of {} up to {} are neither in a buffer within reach nor in the topic; what follows stays in the buffers. {}",
          lane.primary().name(),
          lane.stored().of(topic),
          range.at(),
          expired.to(),
          wayOn(range.at()));
      lane.stuck(topic, range.first());
    }
  }

  private String changed(TopicPartition at, Finding.Changed changed) {
    return "%s is not the topic that was read before: the record before %d is another one or gone. It was recreated, or its end was lost. Nothing goes on, so that nothing is skipped in silence. %s"
        .formatted(at, changed.next(), wayOn(at));
  }

  private static String wayOn(TopicPartition at) {
    return "`cellmesh ingest check` shows what would be lost, `cellmesh ingest accept --topic %s` accepts that and goes on"
        .formatted(at.topic());
  }

  private TopicPartition at(IngestTopic topic, int partition) {
    return new TopicPartition(topic.of(topology.topics()), partition);
  }
}
