package io.cellmesh.herb;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the cells of the peer's own origin out of its log, in their order. A damaged record is set
 * aside with its reason, and stops nothing; what may show that the log is not the peer's halts the
 * link. One thread at a time.
 */
final class Intake {
  private static final Logger LOG = LoggerFactory.getLogger(Intake.class);
  private static final int LOGGED_FIRST = 5;
  private static final int LOGGED_EACH = 10_000;

  private final LinkTerms terms;
  private final Topics topics;
  private final LinkFigures figures;
  private final OriginFilter filter;
  private final OrderCheck order = new OrderCheck();

  /** Records that were set aside, for the log alone. */
  private long aside;

  /**
   * @param topics the instance's topics, which have the same names everywhere
   */
  Intake(LinkTerms terms, Topics topics, LinkFigures figures) {
    this.terms = terms;
    this.topics = topics;
    this.figures = figures;
    this.filter = new OriginFilter(terms.peer());
  }

  /**
   * Takes a record of the log. What comes of it is counted once it is {@link #written}: what is
   * kept back until then, and lost with the run, comes again.
   *
   * @param now milliseconds since 1970
   * @return what goes to the mesh topic, in the cell's partition, or to that of the rejected; empty
   *     if the cell is another data centre's
   * @throws HaltException if it may show that this is not the peer's log, or one with other shards,
   *     and the peer has not said who it is
   */
  Optional<ProducerRecord<byte[], byte[]>> take(ConsumerRecord<byte[], byte[]> log, long now) {
    figures.lag(now - log.timestamp());
    // Of a peer that has not said who it is every record is looked at.
    var other = terms.proven() ? filter.otherOrigin(log) : Optional.<String>empty();
    if (other.isPresent()) {
      noteOther(other.get(), log);
      return Optional.empty();
    }
    MeshRecord cell;
    try {
      if (SetAside.isNamed(log)) {
        throw new CorruptLogException("it is larger than what a link carries");
      }
      cell = MeshRecord.of(log.value());
      checkKey(log.key(), cell);
      checkOrigin(log, cell);
      checkLayout(log, cell);
    } catch (CorruptLogException e) {
      return Optional.of(setAside(log, e.getMessage(), now));
    }
    if (cell.origin().equals(terms.peer())) {
      checkOwn(cell, log);
      return pass(log, cell);
    }
    noteOther(cell.origin(), log);
    return Optional.empty();
  }

  private Optional<ProducerRecord<byte[], byte[]>> pass(
      ConsumerRecord<byte[], byte[]> log, MeshRecord cell) {
    if (order.stepsBack(cell.shard(), cell.originId())) {
      noteStepBack(cell, log);
    }
    if (log.headers().lastHeader(Envelope.REBUILT_HEADER) != null) {
      figures.rebuilt();
    }
    var headers =
        new RecordHeaders()
            .add(Envelope.COLUMN_HEADER, bytes(cell.column()))
            .add(Envelope.ORIGIN_HEADER, bytes(cell.origin()));
    return Optional.of(
        new ProducerRecord<>(
            topics.mesh(),
            terms.shards().partitionOf(cell.shard()),
            log.timestamp(),
            log.key(),
            cell.value(),
            headers));
  }

  /** Counts what came of a record, which is on its way now. */
  void written(ProducerRecord<byte[], byte[]> record) {
    if (record.topic().equals(topics.mesh())) {
      figures.taken();
    } else {
      figures.setAside();
    }
  }

  private static void checkKey(byte[] key, MeshRecord cell) {
    if (key == null || !cell.rowKey().equals(new String(key, StandardCharsets.UTF_8))) {
      throw new CorruptLogException("its key is not its row_key");
    }
  }

  /** The header repeats the envelope. */
  private static void checkOrigin(ConsumerRecord<byte[], byte[]> log, MeshRecord cell) {
    var header = OriginFilter.header(log);
    if (header.isPresent() && !header.get().equals(cell.origin())) {
      throw new CorruptLogException(
          "its header says that its origin is \"%s\", its envelope says \"%s\""
              .formatted(OriginFilter.shortened(header.get()), cell.origin()));
    }
  }

  private void checkLayout(ConsumerRecord<byte[], byte[]> log, MeshRecord cell) {
    var shards = terms.shards();
    int shard = shards.of(log.key());
    if (cell.shard() != shard) {
      doubt(
          log,
          "it says shard %d, which with shards: %d would be %d; %s must have the same shards and partitions as this data centre"
              .formatted(cell.shard(), shards.count(), shard, terms.peer()));
    }
    int partition = shards.partitionOf(shard);
    if (log.partition() != partition) {
      doubt(log, "shard %d belongs into partition %d".formatted(shard, partition));
    }
  }

  /** Damage of this record if the peer has said who it is; else the log may be another one. */
  private void doubt(ConsumerRecord<byte[], byte[]> log, String what) {
    if (terms.proven()) {
      throw new CorruptLogException(what);
    }
    throw new HaltException(place(log) + ": " + what);
  }

  /** Where a cell was first written, its origin_id is its added_id. */
  private void checkOwn(MeshRecord cell, ConsumerRecord<byte[], byte[]> log) {
    if (!terms.proven() && cell.originId() != cell.addedId()) {
      throw new HaltException(
          "%s: a cell of %s has origin_id %d and added_id %d, so this is the log of another data centre that has it from there; does the address belong to %s? Start its herb-replicator, which says so, or give the right --peer"
              .formatted(place(log), terms.peer(), cell.originId(), cell.addedId(), terms.peer()));
    }
  }

  private void noteOther(String origin, ConsumerRecord<byte[], byte[]> log) {
    if (!terms.proven() && !terms.reached().contains(origin)) {
      throw new HaltException(
          "%s: a cell of %s, of which there is no link here; is this the log of %s? Start its herb-replicator, which says so, give the right --peer, or add one for %s"
              .formatted(place(log), origin, terms.peer(), origin));
    }
    left(origin, 1);
  }

  /** Counts cells of another data centre that stay there, if nobody brings them here. */
  void left(String origin, long cells) {
    if (terms.reached().contains(origin)) {
      return;
    }
    long count = figures.unlinked(origin, cells);
    if (count == cells || count / LOGGED_EACH != (count - cells) / LOGGED_EACH) {
      LOG.warn(
          "{}: the log there has cells of {} ({} so far), which nobody brings here: add a --peer for it",
          Peer.link(topics.instance(), terms.peer()),
          origin,
          count);
    }
  }

  private ProducerRecord<byte[], byte[]> setAside(
      ConsumerRecord<byte[], byte[]> log, String reason, long now) {
    aside++;
    if (aside <= LOGGED_FIRST || aside % LOGGED_EACH == 0) {
      LOG.error("Set aside ({} so far): {}: {}", aside, place(log), reason);
    }
    return SetAside.of(log, topics.rejected(), terms.peer(), reason, now);
  }

  private void noteStepBack(MeshRecord cell, ConsumerRecord<byte[], byte[]> log) {
    long steps = figures.stepBack();
    if (steps <= LOGGED_FIRST || steps % LOGGED_EACH == 0) {
      LOG.warn(
          "Step back ({} so far): {}: shard {} shows origin_id {} after {}; duplicates after a"
              + " restart are normal",
          steps,
          place(log),
          cell.shard(),
          cell.originId(),
          order.highest(cell.shard()));
    }
  }

  private String place(ConsumerRecord<byte[], byte[]> log) {
    return "%s-%d of %s, offset %d"
        .formatted(log.topic(), log.partition(), terms.peer(), log.offset());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
