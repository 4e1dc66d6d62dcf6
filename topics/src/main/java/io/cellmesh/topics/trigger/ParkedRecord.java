package io.cellmesh.topics.trigger;

import io.cellmesh.topics.HeaderText;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;

/**
 * Why a record of the log was parked, which its copy in {@code trips.parked} says in headers beside
 * the record's own. Key and value are those of the log to the byte.
 *
 * @param reason of the last failure; in words where nothing was thrown
 * @param attempts at it; 0 of a cell that came while its row was parked
 * @param firstFailure of the attempts; when it was parked, if it was never tried
 * @param lastFailure of the attempts; when it was parked, if it was never tried
 * @param source where the record stands
 * @param offset of the record there
 */
public record ParkedRecord(
    TriggerName trigger,
    Reason reason,
    long attempts,
    Instant firstFailure,
    Instant lastFailure,
    TopicPartition source,
    long offset) {

  public static final String TRIGGER_HEADER = "parked.trigger";
  public static final String REASON_CLASS_HEADER = "parked.reason.class";
  public static final String REASON_MESSAGE_HEADER = "parked.reason.message";
  public static final String ATTEMPTS_HEADER = "parked.attempts";
  public static final String FIRST_FAILURE_HEADER = "parked.first_failure";
  public static final String LAST_FAILURE_HEADER = "parked.last_failure";
  public static final String TOPIC_HEADER = "parked.topic";
  public static final String PARTITION_HEADER = "parked.partition";
  public static final String OFFSET_HEADER = "parked.offset";

  /**
   * Makes what is sent to the topic of parked records.
   *
   * @param topic of parked records; the partition is the record's own
   * @param record of the log
   */
  public ProducerRecord<byte[], byte[]> of(String topic, ConsumerRecord<byte[], byte[]> record) {
    var parked =
        new ProducerRecord<>(
            topic, record.partition(), record.key(), record.value(), record.headers());
    put(parked.headers(), TRIGGER_HEADER, trigger.text());
    put(parked.headers(), REASON_CLASS_HEADER, reason.type());
    put(parked.headers(), REASON_MESSAGE_HEADER, reason.message());
    put(parked.headers(), ATTEMPTS_HEADER, attempts);
    put(parked.headers(), FIRST_FAILURE_HEADER, firstFailure);
    put(parked.headers(), LAST_FAILURE_HEADER, lastFailure);
    put(parked.headers(), TOPIC_HEADER, source.topic());
    put(parked.headers(), PARTITION_HEADER, source.partition());
    put(parked.headers(), OFFSET_HEADER, offset);
    return parked;
  }

  /**
   * Reads the headers of a parked record.
   *
   * @throws DamagedRecordException if one is missing or not as it must be
   */
  public static ParkedRecord read(ConsumerRecord<byte[], byte[]> record) {
    try {
      return read(record.headers());
    } catch (FieldException e) {
      throw new DamagedRecordException(record, e);
    }
  }

  /** Whether a record was parked by a trigger. */
  public static boolean isOf(TriggerName trigger, ConsumerRecord<byte[], byte[]> record) {
    return HeaderText.of(record.headers(), TRIGGER_HEADER)
        .filter(trigger.text()::equals)
        .isPresent();
  }

  private static ParkedRecord read(Headers headers) throws FieldException {
    return new ParkedRecord(
        trigger(headers),
        new Reason(text(headers, REASON_CLASS_HEADER), text(headers, REASON_MESSAGE_HEADER)),
        number(headers, ATTEMPTS_HEADER),
        time(headers, FIRST_FAILURE_HEADER),
        time(headers, LAST_FAILURE_HEADER),
        new TopicPartition(
            text(headers, TOPIC_HEADER), Math.toIntExact(number(headers, PARTITION_HEADER))),
        number(headers, OFFSET_HEADER));
  }

  private static TriggerName trigger(Headers headers) throws FieldException {
    var text = text(headers, TRIGGER_HEADER);
    try {
      return new TriggerName(text);
    } catch (IllegalArgumentException e) {
      throw new FieldException(TRIGGER_HEADER, e.getMessage());
    }
  }

  private static String text(Headers headers, String name) throws FieldException {
    var text = HeaderText.of(headers, name);
    if (text.isEmpty()) {
      throw new FieldException(name, "missing");
    }
    return text.get();
  }

  private static long number(Headers headers, String name) throws FieldException {
    try {
      long number = Long.parseLong(text(headers, name));
      if (number >= 0 && (!name.equals(PARTITION_HEADER) || number <= Integer.MAX_VALUE)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, as one that is negative.
    }
    throw new FieldException(name, "must be a whole number that is not negative");
  }

  private static Instant time(Headers headers, String name) throws FieldException {
    try {
      return Instant.parse(text(headers, name));
    } catch (DateTimeException e) {
      throw new FieldException(name, "must be a time such as 2026-01-31T12:00:00Z");
    }
  }

  private static void put(Headers headers, String name, Object value) {
    headers.remove(name);
    headers.add(name, value.toString().getBytes(StandardCharsets.UTF_8));
  }
}
