package io.cellmesh.herb;

import io.cellmesh.cell.Envelope;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes on the cells of the peer's own origin, in their order. A damaged record is set aside with
 * its reason, and stops nothing; what may show that the log is not the peer's halts the link.
 */
final class HerbProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(HerbProcessor.class);
  private static final int LOGGED_FIRST = 5;
  private static final int LOGGED_EACH = 10_000;

  private final LinkTerms terms;
  private final LinkFigures figures;
  private final OrderCheck order = new OrderCheck();
  private ProcessorContext<byte[], byte[]> context;

  HerbProcessor(LinkTerms terms, LinkFigures figures) {
    this.terms = terms;
    this.figures = figures;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
  }

  /**
   * Takes a record of the log.
   *
   * @throws HaltException if it may show that this is not the peer's log, or one with other shards,
   *     and the peer has not said who it is
   */
  @Override
  public void process(Record<byte[], byte[]> log) {
    var at = context.recordMetadata().orElseThrow();
    figures.lag(context.currentSystemTimeMs() - log.timestamp());
    MeshRecord cell;
    try {
      cell = MeshRecord.of(log.value());
      checkKey(log.key(), cell);
      checkLayout(log.key(), cell, at);
    } catch (CorruptLogException e) {
      setAside(log, at, e.getMessage());
      return;
    }
    if (cell.origin().equals(terms.peer())) {
      checkOwn(cell, at);
      forward(log, cell, at);
    } else if (!terms.reached().contains(cell.origin())) {
      noteUnlinked(cell, at);
    }
  }

  private void forward(Record<byte[], byte[]> log, MeshRecord cell, RecordMetadata at) {
    if (order.stepsBack(cell.shard(), cell.originId())) {
      noteStepBack(cell, at);
    }
    var headers =
        new RecordHeaders()
            .add(Envelope.COLUMN_HEADER, bytes(cell.column()))
            .add(Envelope.ORIGIN_HEADER, bytes(cell.origin()));
    context.forward(
        new Record<>(log.key(), cell.value(), log.timestamp(), headers), HerbTopology.MESH);
    figures.taken();
  }

  private static void checkKey(byte[] key, MeshRecord cell) {
    if (key == null || !cell.rowKey().equals(new String(key, StandardCharsets.UTF_8))) {
      throw new CorruptLogException("its key is not its row_key");
    }
  }

  private void checkLayout(byte[] key, MeshRecord cell, RecordMetadata at) {
    var shards = terms.shards();
    int shard = shards.of(key);
    if (cell.shard() != shard) {
      doubt(
          at,
          "it says shard %d, which with shards: %d would be %d; %s must have the same shards and partitions as this data centre"
              .formatted(cell.shard(), shards.count(), shard, terms.peer()));
    }
    int partition = shards.partitionOf(shard);
    if (at.partition() != partition) {
      doubt(at, "shard %d belongs into partition %d".formatted(shard, partition));
    }
  }

  /** Damage of this record if the peer has said who it is; else the log may be another one. */
  private void doubt(RecordMetadata at, String what) {
    if (terms.proven()) {
      throw new CorruptLogException(what);
    }
    throw new HaltException(place(at) + ": " + what);
  }

  /** Where a cell was first written, its origin_id is its added_id. */
  private void checkOwn(MeshRecord cell, RecordMetadata at) {
    if (!terms.proven() && cell.originId() != cell.addedId()) {
      throw new HaltException(
          "%s: a cell of %s has origin_id %d and added_id %d, so this is the log of another data centre that has it from there; does the address belong to %s? Start its herb-replicator, which says so, or give the right --peer"
              .formatted(place(at), terms.peer(), cell.originId(), cell.addedId(), terms.peer()));
    }
  }

  private void noteUnlinked(MeshRecord cell, RecordMetadata at) {
    if (!terms.proven()) {
      throw new HaltException(
          "%s: a cell of %s, of which there is no link here; is this the log of %s? Start its herb-replicator, which says so, give the right --peer, or add one for %s"
              .formatted(place(at), cell.origin(), terms.peer(), cell.origin()));
    }
    long count = figures.unlinked(cell.origin());
    if (count == 1 || count % LOGGED_EACH == 0) {
      LOG.warn(
          "{}: a cell of {} ({} so far), which nobody brings here: add a --peer for it",
          place(at),
          cell.origin(),
          count);
    }
  }

  private void setAside(Record<byte[], byte[]> log, RecordMetadata at, String reason) {
    long count = figures.setAside();
    if (count <= LOGGED_FIRST || count % LOGGED_EACH == 0) {
      LOG.error("Set aside ({} so far): {}: {}", count, place(at), reason);
    }
    context.forward(
        SetAside.of(log, at, terms.peer(), reason, context.currentSystemTimeMs()),
        HerbTopology.REJECTED);
  }

  private void noteStepBack(MeshRecord cell, RecordMetadata at) {
    long steps = figures.stepBack();
    if (steps <= LOGGED_FIRST || steps % LOGGED_EACH == 0) {
      LOG.warn(
          "Step back ({} so far): {}: shard {} shows origin_id {} after {}; duplicates after a restart are normal",
          steps,
          place(at),
          cell.shard(),
          cell.originId(),
          order.highest(cell.shard()));
    }
  }

  private String place(RecordMetadata at) {
    return "%s-%d of %s, offset %d"
        .formatted(at.topic(), at.partition(), terms.peer(), at.offset());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
