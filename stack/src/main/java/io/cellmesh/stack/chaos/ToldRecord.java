package io.cellmesh.stack.chaos;

import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What the first rejection of a place said, and whether the place has been met. */
final class ToldRecord {
  private final int key;
  private final int value;
  private final Optional<RawCell> cell;
  boolean met;

  ToldRecord(ConsumerRecord<byte[], byte[]> record) {
    this.key = Arrays.hashCode(record.key());
    this.value = Arrays.hashCode(record.value());
    this.cell = RawCell.parse(record.value());
  }

  boolean isLike(ToldRecord other) {
    return key == other.key && (value == other.value || isRebuiltOf(other.cell));
  }

  /** To the byte; what is too large to be told is told without its value. */
  boolean isOf(ConsumerRecord<byte[], byte[]> record) {
    return key == Arrays.hashCode(record.key())
        && (value == 0 || value == Arrays.hashCode(record.value()));
  }

  /** Where a buffer had the only copy, an equal cell is told in the record's place. */
  boolean isRebuiltOf(Optional<RawCell> original) {
    return cell.isPresent()
        && original
            .filter(o -> o.key().equals(cell.get().key()) && o.digest() == cell.get().digest())
            .isPresent();
  }
}
