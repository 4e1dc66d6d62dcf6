package io.cellmesh.topics.trigger;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Names a record of the state topic or of the parked ones that can't be read: nobody guesses what a
 * trigger remembered.
 */
public final class DamagedRecordException extends KafkaException {
  private static final long serialVersionUID = 1L;

  private final transient TopicPartition partition;
  private final long offset;
  private final String field;

  DamagedRecordException(ConsumerRecord<?, ?> record, FieldException cause) {
    super(
        "%s-%d@%d can't be read: %s"
            .formatted(record.topic(), record.partition(), record.offset(), cause.getMessage()),
        cause);
    this.partition = new TopicPartition(record.topic(), record.partition());
    this.offset = record.offset();
    this.field = cause.field();
  }

  public TopicPartition partition() {
    return partition;
  }

  public long offset() {
    return offset;
  }

  /** Returns the field or header that is not as it must be; {@code key} for the record's key. */
  public String field() {
    return field;
  }
}
