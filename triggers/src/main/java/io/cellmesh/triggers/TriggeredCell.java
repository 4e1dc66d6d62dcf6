package io.cellmesh.triggers;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A cell as a callback gets it. What it holds is read out of its record when it is first asked for,
 * so that a callback which needs the key alone does not pay for the body.
 */
public final class TriggeredCell {
  /** Its native memory goes with its thread. */
  private static final ThreadLocal<EnvelopeReader> READERS =
      ThreadLocal.withInitial(EnvelopeReader::lenient);

  private final TopicPartition partition;
  private final long offset;
  private final UUID row;
  private final int attempt;
  private final boolean rebuilt;
  private final ConsumerRecord<byte[], byte[]> source;
  private LogRecord record;

  /** One that was read before. */
  public TriggeredCell(
      LogRecord record, TopicPartition partition, long offset, int attempt, boolean rebuilt) {
    this.record = Objects.requireNonNull(record, "record");
    this.source = null;
    this.partition = partition;
    this.offset = offset;
    this.row = record.cell().key().rowKey();
    this.attempt = attempt;
    this.rebuilt = rebuilt;
  }

  TriggeredCell(
      TopicPartition partition, Delivery delivery, ConsumerRecord<byte[], byte[]> source) {
    this.source = source;
    this.partition = partition;
    this.offset = delivery.offset;
    this.row = delivery.row;
    this.attempt = delivery.attempt();
    this.rebuilt = delivery.rebuilt;
  }

  /**
   * The cell with its place in its shard.
   *
   * @throws DamagedCellException if the record is none of the log, which parks it
   */
  public LogRecord record() {
    if (record == null) {
      try {
        record = READERS.get().readLog(source.key(), source.value());
      } catch (InvalidCellException e) {
        throw new DamagedCellException(partition + " offset " + offset + ": " + e.getMessage(), e);
      }
    }
    return record;
  }

  /** Where it was read. */
  public TopicPartition partition() {
    return partition;
  }

  /** Where it was read. */
  public long offset() {
    return offset;
  }

  public UUID row() {
    return row;
  }

  /**
   * Which attempt this is, from 1; a process that died during an attempt may not have counted it.
   */
  public int attempt() {
    return attempt;
  }

  /** Whether {@code cellmesh log rebuild} wrote the record. */
  public boolean rebuilt() {
    return rebuilt;
  }

  @Override
  public String toString() {
    return "%s offset %d, row %s, attempt %d".formatted(partition, offset, row, attempt);
  }
}
