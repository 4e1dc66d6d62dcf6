package io.cellmesh.herb;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.Shards;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes on the cells of the peer's own origin, in their order. */
final class HerbProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(HerbProcessor.class);
  private static final int LOGGED_FIRST = 5;
  private static final int LOGGED_EACH = 10_000;

  private final String peer;
  private final Shards shards;
  private final OrderCheck order = new OrderCheck();
  private ProcessorContext<byte[], byte[]> context;
  private Sensor stepsBack;
  private long steps;

  HerbProcessor(String peer, Shards shards) {
    this.peer = peer;
    this.shards = shards;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    this.stepsBack =
        context
            .metrics()
            .addRateTotalSensor(
                "herb", context.taskId().toString(), "steps-back", Sensor.RecordingLevel.INFO);
  }

  /**
   * @throws CorruptLogException if the record is no record of a log of this instance with this S
   *     and P
   */
  @Override
  public void process(Record<byte[], byte[]> log) {
    MeshRecord cell;
    try {
      cell = MeshRecord.of(log.value());
      check(log.key(), cell);
    } catch (CorruptLogException e) {
      throw new CorruptLogException(place() + ": " + e.getMessage());
    }
    if (!cell.origin().equals(peer)) {
      return;
    }
    if (order.stepsBack(cell.shard(), cell.originId())) {
      noteStepBack(cell);
    }
    var headers =
        new RecordHeaders()
            .add(Envelope.COLUMN_HEADER, bytes(cell.column()))
            .add(Envelope.ORIGIN_HEADER, bytes(cell.origin()));
    context.forward(new Record<>(log.key(), cell.value(), log.timestamp(), headers));
  }

  private void check(byte[] key, MeshRecord cell) {
    if (key == null || !cell.rowKey().equals(new String(key, StandardCharsets.UTF_8))) {
      throw new CorruptLogException("its key is not its row_key");
    }
    int shard = shards.of(key);
    if (cell.shard() != shard) {
      throw new CorruptLogException(
          "it says shard %d, which with shards: %d would be %d; %s must have the same shards and partitions as this data centre"
              .formatted(cell.shard(), shards.count(), shard, peer));
    }
    int partition = shards.partitionOf(shard);
    context
        .recordMetadata()
        .filter(at -> at.partition() != partition)
        .ifPresent(
            at -> {
              throw new CorruptLogException(
                  "shard %d belongs into partition %d".formatted(shard, partition));
            });
  }

  private void noteStepBack(MeshRecord cell) {
    stepsBack.record();
    steps++;
    if (steps <= LOGGED_FIRST || steps % LOGGED_EACH == 0) {
      LOG.warn(
          "Step back ({} so far in this task): shard {} of {} shows origin_id {} after {}; duplicates after a restart are normal",
          steps,
          cell.shard(),
          peer,
          cell.originId(),
          order.highest(cell.shard()));
    }
  }

  private String place() {
    return context
        .recordMetadata()
        .map(
            at -> "%s-%d of %s, offset %d".formatted(at.topic(), at.partition(), peer, at.offset()))
        .orElse("log of " + peer);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
