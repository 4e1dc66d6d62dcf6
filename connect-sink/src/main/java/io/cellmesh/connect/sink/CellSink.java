package io.cellmesh.connect.sink;

import io.cellmesh.connect.sink.CopySender.Sent;
import io.cellmesh.connect.sink.SinkMetric.Hop;
import io.cellmesh.connect.sink.base.Rejections;
import io.cellmesh.connect.sink.base.TaskThreads;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The core of the sink. A batch is secured in two steps: every primary's cells go as copies to
 * secondaries while they are inserted on the primary, which commits them only after the copies are
 * committed. A primary that can't be written, or is late, delays nobody: its lanes fall behind,
 * their cells wait in the buffers, and each later call tries to catch them up.
 *
 * <p>Called by one thread, which alone touches the lanes; the clusters are written side by side.
 */
final class CellSink {
  private static final Logger LOG = LoggerFactory.getLogger(CellSink.class);

  /** Longest wait for primaries that are all slow. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** Bounds of the time that new cells wait for those that wait in the buffers. */
  private static final Duration SHORT_TURN = Duration.ofMillis(100);

  private static final Duration LONG_TURN = Duration.ofSeconds(1);

  /** Of copies without cells, so that not too many are remembered in a long outage. */
  private static final long EXTENSION_BYTES = 256;

  private final RecordDecoder decoder;
  private final Rejections rejections;
  private final GapHandler gapHandler;
  private final CopySender copySender;
  private final LaneWriter laneWriter;
  private final PendingWork work;
  private final LeftoverScan leftoverScan;
  private final CatchUp catchUp;
  private final Lanes lanes;
  private final TaskThreads threads;
  private final int turn;
  private final SinkMetrics metrics;
  private final DeliveredOffsets delivered = new DeliveredOffsets();
  private final Gathering gathering;

  CellSink(
      RecordDecoder decoder,
      Rejections rejections,
      GapHandler gapHandler,
      CopySender copySender,
      LaneWriter laneWriter,
      PendingWork work,
      LeftoverScan leftoverScan,
      CatchUp catchUp,
      Lanes lanes,
      TaskThreads threads,
      int turn,
      SinkMetrics metrics) {
    this.decoder = decoder;
    this.rejections = rejections;
    this.gapHandler = gapHandler;
    this.copySender = copySender;
    this.laneWriter = laneWriter;
    this.work = work;
    this.leftoverScan = leftoverScan;
    this.catchUp = catchUp;
    this.lanes = lanes;
    this.threads = threads;
    this.turn = turn;
    this.metrics = metrics;
    this.gathering = new Gathering(threads.nanoTime());
  }

  /**
   * Secures what a poll brought, and brings lanes forward that are behind; or keeps it for the next
   * call, which is to come soon.
   *
   * @param rewind told where a topic's partition must be read again from; takes effect before the
   *     next poll
   * @return what is secured now, poll by poll; nothing if it is kept ({@link Gathering})
   * @throws RetriableException if some primary's cells found no secondary: the same records come
   *     again
   */
  List<Collection<SinkRecord>> put(
      Collection<SinkRecord> records, Consumer<Map<TopicPartition, Long>> rewind) {
    if (gathering.keeps(records, threads.nanoTime(), this::read)) {
      // Connect takes for consumed what failed before.
      delivered.delivered(List.of());
      return List.of();
    }
    var polls = gathering.with(records);
    var rewinds = new HashMap<TopicPartition, Long>();
    work.hear();
    // Before what may have to wait for a slow primary.
    copySender.giveOn();
    long begin = threads.nanoTime();
    deliver(polls, rewinds);
    try {
      bringForward(rewinds::putAll, Duration.ofNanos(threads.nanoTime() - begin));
    } catch (RetriableException e) {
      // The records are secured and must not come again; lanes that are behind get another turn.
      LOG.warn("lanes can't be brought forward now: {}", e.getMessage());
    }
    if (!rewinds.isEmpty()) {
      rewind.accept(rewinds);
    }
    gathering.ended(threads.nanoTime());
    return polls;
  }

  /** Up to where a topic's partition was read; negative if it was not, or is being read again. */
  private long read(TopicPartition at) {
    var end = gapHandler.end(decoder.topicOf(at.topic()), at.partition());
    return end == null ? -1 : end.next();
  }

  /** Writes records; if that fails nothing is to be read from elsewhere, since they come again. */
  private void deliver(List<Collection<SinkRecord>> polls, Map<TopicPartition, Long> rewinds) {
    try {
      // What is judged may stand in the buffers, and this comes again until they have said so.
      leftoverScan.run();
      write(polls, rewinds);
      gapHandler.keep();
      gathering.written();
      polls.forEach(delivered::delivered);
      metrics.secured(true);
    } catch (RetriableException e) {
      gapHandler.undo();
      polls.forEach(delivered::failed);
      metrics.secured(false);
      throw e;
    }
  }

  /**
   * Brings lanes forward that are behind. New cells wait for that about as long as those before
   * them took, so that both go on at half their pace where there is more to do than can be done.
   */
  private void bringForward(Consumer<Map<TopicPartition, Long>> rewind, Duration delivery) {
    long begin = threads.nanoTime();
    gapHandler.tellStarts(decoder::topicOf);
    var gaps = catchUp.run(within(SHORT_TURN, delivery, LONG_TURN));
    metrics.hop(Hop.CATCH_UP, threads.nanoTime() - begin);
    gaps.forEach(gap -> gapHandler.rewind(gap, rewind));
    gapHandler.resume(rewind);
    gapHandler.tellGaps();
  }

  private static Duration within(Duration least, Duration duration, Duration most) {
    return Collections.max(List.of(least, Collections.min(List.of(duration, most))));
  }

  private void write(List<Collection<SinkRecord>> polls, Map<TopicPartition, Long> rewinds) {
    for (var piece : pieces(polls)) {
      long begin = threads.nanoTime();
      var batch = decoder.ranges(piece);
      readPositions(batch.partitions());
      // What a poll brought for a partition that is to be read from elsewhere comes again: in the
      // pieces that follow it must not be taken for what was asked for.
      batch = gapHandler.judge(batch.without(rewinds.keySet()), rewinds::putAll);
      if (!batch.ranges().isEmpty()) {
        write(batch);
        gapHandler.seen(batch);
        metrics.hop(Hop.PUT, threads.nanoTime() - begin);
      }
    }
  }

  private List<List<SinkRecord>> pieces(List<Collection<SinkRecord>> polls) {
    return polls.stream()
        .flatMap(records -> Turns.ownFirst(records, turn, decoder::topicOf).stream())
        .flatMap(part -> RecordDecoder.pieces(part).stream())
        .toList();
  }

  /**
   * The offsets up to which everything is secured, of every partition: where one is left out
   * Connect commits what it last knew, which after a rewind is the place that was asked for. Lanes
   * without new cells extend their copies and take their position along, so that a later owner can
   * prove that nothing is missing.
   *
   * @param consumed the offsets after the last records that {@link #put} took, as Connect knows
   *     them
   */
  Map<TopicPartition, OffsetAndMetadata> secured(Map<TopicPartition, OffsetAndMetadata> consumed) {
    var seen = gathering.before(delivered.trusted(consumed));
    work.hear();
    rejections.await();
    seen.forEach((at, offset) -> gapHandler.stands(at, offset.offset()));
    readPositions(seen.keySet().stream().map(TopicPartition::partition).distinct().toList());
    BiFunction<IngestTopic, Integer, Mark> ends = gapHandler::end;
    var idle = laneWriter.idle(ends);
    var extended = copySender.extend(ends);
    try {
      copySender.finish(extended);
    } catch (RetriableException e) {
      LOG.debug("not all lanes are secured up to where they were read: {}", e.getMessage());
    }
    laneWriter.advance(idle, PATIENCE);
    // Where the primary has not taken the position along, only the copy says how far it was read.
    copySender.doubleWhatWaits(extended, EXTENSION_BYTES);
    var secured = new HashMap<TopicPartition, OffsetAndMetadata>();
    seen.forEach(
        (at, offset) -> {
          long proven = gapHandler.secured(at, decoder.topicOf(at.topic()), offset.offset());
          secured.put(at, proven == offset.offset() ? offset : new OffsetAndMetadata(proven));
        });
    return secured;
  }

  /** Whether some primary's cells wait in the buffers. */
  boolean isBehind() {
    return lanes.anyBehind();
  }

  /** Takes partitions over. */
  void open(Collection<TopicPartition> partitions) {
    close(partitions);
    delivered.opened(partitions);
    leftoverScan.open(partitions.stream().map(TopicPartition::partition).toList());
  }

  /** Forgets partitions that this task has lost. */
  void close(Collection<TopicPartition> partitions) {
    var numbers = partitions.stream().map(TopicPartition::partition).toList();
    gathering.forget(partitions);
    lanes.forget(numbers);
    leftoverScan.close(numbers);
    partitions.forEach(gapHandler::forget);
    partitions.forEach(decoder::forget);
  }

  private void readPositions(List<Integer> partitions) {
    var unknown = new ArrayList<Lane>();
    for (int partition : partitions) {
      lanes.ofPartition(partition).stream()
          .filter(lane -> !lane.positionKnown())
          .forEach(unknown::add);
    }
    if (!unknown.isEmpty()) {
      laneWriter.readPositions(unknown, PATIENCE);
    }
  }

  private void write(Batch batch) {
    long begin = threads.nanoTime();
    decoder.read(batch);
    metrics.hop(Hop.DECODE, threads.nanoTime() - begin);
    metrics.batch(batch.records().size(), batch.bytes());
    for (var range : batch.ranges()) {
      for (var lane : lanes.ofPartition(range.partition())) {
        if (!lane.begun(range.topic())) {
          lane.begin(range.topic(), range.first());
        }
        lane.startBatch(range.topic());
      }
    }
    var sent = copySender.send(batch);
    start(batch, sent);
    // Whatever becomes of one primary's copies, lanes must know how their transactions ended, and
    // what the others could not write must not stay in a single copy.
    var failure = new FirstFailure();
    failure.attempt(() -> copySender.finish(sent));
    failure.attempt(() -> work.await(PATIENCE));
    failure.attempt(() -> copySender.doubleWhatWaits(sent, batch.bytes()));
    failure.rethrow();
  }

  private void start(Batch batch, Map<?, Sent> sent) {
    for (var primary : lanes.primaries()) {
      var copied = sent.get(primary);
      // Without cells to copy there may still be some to write: they were copied before.
      laneWriter.start(primary, batch, copied == null ? () -> {} : copied::await);
    }
  }
}
