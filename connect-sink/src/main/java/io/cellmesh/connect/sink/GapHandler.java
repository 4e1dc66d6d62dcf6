package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.CatchUp.LaneGap;
import io.cellmesh.connect.sink.OffsetContinuity.Finding;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acts on what {@link OffsetContinuity} finds: has records read again, leaves a single primary's
 * lane stuck, or stops the task where going on would skip records in silence (invariants 2 and 4).
 */
final class GapHandler {
  private static final Logger LOG = LoggerFactory.getLogger(GapHandler.class);

  private final Topology topology;
  private final OffsetContinuity continuity;
  private final Lanes lanes;
  private final SinkMetrics metrics;
  private final IntPredicate leftoversKnown;

  /** Where the reading of each partition began. Everything below was secured by earlier owners. */
  private final Map<TopicPartition, Long> starts = new HashMap<>();

  /** Those whose lanes know where reading began. */
  private final Set<TopicPartition> told = new HashSet<>();

  /** Those that have lost records, and whose primaries were asked again for their positions. */
  private final Set<TopicPartition> askedAgain = new HashSet<>();

  GapHandler(Topology topology, OffsetContinuity continuity, Lanes lanes, SinkMetrics metrics) {
    this(topology, continuity, lanes, metrics, partition -> true);
  }

  /**
   * @param leftoversKnown whether the lanes of a partition know what an earlier owner left in the
   *     buffers
   */
  GapHandler(
      Topology topology,
      OffsetContinuity continuity,
      Lanes lanes,
      SinkMetrics metrics,
      IntPredicate leftoversKnown) {
    this.leftoversKnown = leftoversKnown;
    this.topology = topology;
    this.continuity = continuity;
    this.lanes = lanes;
    this.metrics = metrics;
  }

  /**
   * The ranges that may be written.
   *
   * @throws ConnectException if a topic is not the one that was read before, with the way on
   * @throws RetriableException if it can't be told yet whether records are gone that nobody has
   */
  Batch judge(Batch batch, Consumer<Map<TopicPartition, Long>> rewind) {
    var follow = new ArrayList<Batch.Range>();
    for (var range : batch.ranges()) {
      starts.putIfAbsent(range.at(), range.first());
      if (!continuity.watches(range.at()) || continuity.blind(range.at())) {
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
        askedAgain.remove(range.at());
        follow.add(range);
      }
    }
    return new Batch(follow, batch.records());
  }

  /** The ranges of a batch are written. */
  void seen(Batch batch) {
    batch.ranges().forEach(continuity::seen);
  }

  /** What the last delivery taught holds: it won't come again. */
  void keep() {
    continuity.keep();
  }

  /** The last delivery failed and comes again: it shall be judged as if for the first time. */
  void undo() {
    continuity.undo();
  }

  /** Remembers where a partition stands of which no record has come yet. */
  void stands(TopicPartition at, long offset) {
    starts.putIfAbsent(at, offset);
  }

  /**
   * Tells lanes of which no record has come where reading begins: what they lack before it is
   * looked for now, since a record that would show it may never come.
   */
  void tellStarts(Function<String, IngestTopic> topicOf) {
    starts.forEach(
        (at, start) -> {
          if (!told.contains(at) && leftoversKnown.test(at.partition())) {
            var topic = topicOf.apply(at.topic());
            lanes.ofPartition(at.partition()).forEach(lane -> lane.securedBefore(topic, start));
            told.add(at);
          }
        });
  }

  /**
   * Has a topic read again from the position of a lane whose copies don't reach back to it. Waits
   * with it until it is known where reading stands, so that nothing between is left out.
   */
  void rewind(LaneGap gap, Consumer<Map<TopicPartition, Long>> rewind) {
    var lane = gap.lane();
    var at = at(gap.topic(), lane.partition());
    var start = starts.get(at);
    if (start == null) {
      return;
    }
    var position = lane.stored().mark(gap.topic());
    LOG.info(
        "the buffers don't reach back to the position of {}; reading {} again from {}",
        lane.primary().name(),
        at,
        position.next());
    lane.rewind(gap.topic());
    metrics.rewound();
    rewind.accept(Map.of(at, continuity.rewindTo(at, position, start).offset()));
    continuity.keep();
  }

  /** Lets reading go on where every lane that had asked for records got them from the buffers. */
  void resume(Consumer<Map<TopicPartition, Long>> rewind) {
    for (int partition : lanes.partitions()) {
      for (var topic : IngestTopic.values()) {
        var at = at(topic, partition);
        if (continuity.rewound(at)
            && lanes.ofPartition(partition).stream().noneMatch(lane -> lane.rewinding(topic))) {
          long offset = continuity.resume(at, starts.get(at));
          continuity.keep();
          LOG.info("the buffers had what was missing of {}; reading goes on at {}", at, offset);
          rewind.accept(Map.of(at, offset));
        }
      }
    }
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
    return continuity.waits(at) ? null : continuity.read(at);
  }

  /**
   * The offset up to which every cell is secured on every lane (invariant 5).
   *
   * @param seen the offset after the last record that was taken, beyond which nothing is
   */
  long secured(TopicPartition at, IngestTopic topic, long seen) {
    return lanes.ofPartition(at.partition()).stream()
        .mapToLong(lane -> lane.begun(topic) ? lane.copied(topic) : floor(at))
        .reduce(seen, Math::min);
  }

  void forget(TopicPartition at) {
    askedAgain.remove(at);
    continuity.forget(at);
    starts.remove(at);
    // The other topic's lanes are the same, and forgotten as well.
    told.removeIf(other -> other.partition() == at.partition());
  }

  /** Earlier owners secured what lies below the start, unless somebody had set offsets forward. */
  private long floor(TopicPartition at) {
    long start = starts.getOrDefault(at, Long.MAX_VALUE);
    return Math.min(start, continuity.pending(at).orElse(start));
  }

  private void begin(Batch.Range range) {
    lanes.ofPartition(range.partition()).stream()
        .filter(Lane::positionKnown)
        .map(lane -> lane.stored().mark(range.topic()))
        .max(Comparator.comparingLong(Mark::next))
        .ifPresentOrElse(
            farthest -> continuity.begin(range.at(), farthest),
            () -> {
              if (!continuity.watches(range.at())) {
                continuity.beginAt(range);
              }
            });
  }

  /** Records are gone that some primary lacks: it waits alone if others have them. */
  private void expired(Batch.Range range, Finding.Expired expired) {
    var topic = range.topic();
    var all = lanes.ofPartition(range.partition());
    var missing = all.stream().filter(lane -> has(lane, range) < expired.to()).toList();
    if (!missing.isEmpty() && !leftoversKnown.test(range.partition())) {
      throw new RetriableException(
          range.at()
              + " has lost records, and the buffers have not said yet whether they have them");
    }
    if (missing.size() == all.size()) {
      askAgain(range.at(), all);
      throw new ConnectException(
          "%s no longer has the records from %d up to %d, and no primary has them: their retention is over. Nothing goes on, so that nothing is skipped in silence. %s"
              .formatted(range.at(), expired.from(), expired.to(), wayOn(range.at())));
    }
    for (var lane : missing) {
      LOG.error(
          "cells of {} from {} of {} up to {} are neither in a buffer within reach nor in the topic; what follows stays in the buffers. {}",
          lane.primary().name(),
          has(lane, range),
          range.at(),
          expired.to(),
          wayOn(range.at()));
      lane.stuck(topic, range.first());
    }
  }

  /**
   * Has the primaries' positions looked up before it is said that none has a record: whoever was
   * held up, and does not know yet that others have gone on, remembers old ones.
   */
  private void askAgain(TopicPartition at, List<Lane> all) {
    if (askedAgain.add(at)) {
      all.forEach(Lane::forgetPosition);
      throw new RetriableException(
          at
              + " has lost records that no primary had when it was last asked; they are asked again");
    }
  }

  /**
   * Up to where a lane has every cell as far as its position and its copies tell. Where reading
   * began proves nothing: retention may have moved the consumer there. A lane of which nothing is
   * known yet is not accused: it learns by itself what it lacks.
   */
  private long has(Lane lane, Batch.Range range) {
    var topic = range.topic();
    if (lane.rewound(topic) || lane.stuck(topic)) {
      return lane.copied(topic);
    }
    if (lane.begun(topic)) {
      return Math.max(lane.copied(topic), continuity.readBefore(range.at()));
    }
    return lane.positionKnown() ? lane.found(topic) : Long.MAX_VALUE;
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
