package io.cellmesh.topics.trigger;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A record of the state topic.
 *
 * @param value empty where the record removes what the key told of, and where the key is of a later
 *     version's
 */
public record StateRecord(StateKey key, Optional<StateValue> value) {

  /** Tells something. */
  public static StateRecord of(StateKey key, StateValue value) {
    return new StateRecord(key, Optional.of(value));
  }

  /** Removes what was told. */
  public static StateRecord removal(StateKey key) {
    return new StateRecord(key, Optional.empty());
  }

  /**
   * Reads a record.
   *
   * @throws DamagedRecordException if it lacks something that is needed
   */
  public static StateRecord read(ConsumerRecord<byte[], byte[]> record) {
    try {
      var key = StateKey.parse(record.key());
      return new StateRecord(key, Optional.ofNullable(value(key, record.value())));
    } catch (FieldException e) {
      throw new DamagedRecordException(record, e);
    }
  }

  /** Makes what a producer sends. */
  public ProducerRecord<byte[], byte[]> in(String topic, int partition) {
    return new ProducerRecord<>(
        topic, partition, key.bytes(), value.map(StateValue::toJson).orElse(null));
  }

  private static StateValue value(StateKey key, byte[] value) throws FieldException {
    if (value == null || key instanceof StateKey.OfSomethingElse) {
      return null;
    }
    var fields = StateFields.read(value);
    if (key instanceof StateKey.OfCreation) {
      return Creation.read(fields);
    }
    if (key instanceof StateKey.OfRow) {
      return ParkedRow.read(fields);
    }
    if (key instanceof StateKey.OfAttempts) {
      return CellAttempts.read(fields);
    }
    if (key instanceof StateKey.OfPause) {
      return Pause.read(fields);
    }
    return key instanceof StateKey.OfRequest
        ? RequestCodec.read(fields)
        : MemberHealth.read(fields);
  }
}
