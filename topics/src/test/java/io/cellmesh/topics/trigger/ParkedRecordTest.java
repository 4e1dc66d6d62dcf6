package io.cellmesh.topics.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.topics.HeaderText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParkedRecordTest {
  private static final ParkedRecord PARKED =
      new ParkedRecord(
          new TriggerName("billing"),
          new Reason("java.io.IOException", "no way – at all"),
          5,
          Instant.parse("2026-01-31T12:00:00.123456Z"),
          Instant.parse("2026-01-31T12:00:09Z"),
          new TopicPartition("trips.log", 3),
          812);

  @Test
  void a_parked_record_is_the_logs_to_the_byte_with_why_it_was_parked() {
    var log = new ConsumerRecord<>("trips.log", 3, 812, new byte[] {1, 2}, new byte[] {3, -4});
    log.headers().add("column", bytes("BASE"));

    var sent = PARKED.of("trips.parked", log);

    assertThat(sent.topic()).isEqualTo("trips.parked");
    assertThat(sent.partition()).isEqualTo(3);
    assertThat(sent.key()).containsExactly(1, 2);
    assertThat(sent.value()).containsExactly(3, -4);
    assertThat(HeaderText.of(sent.headers(), "column")).hasValue("BASE");
    assertThat(log.headers()).as("the log's own").hasSize(1);
    assertThat(ParkedRecord.read(stored(sent))).isEqualTo(PARKED);
    assertThat(ParkedRecord.isOf(new TriggerName("billing"), stored(sent))).isTrue();
    assertThat(ParkedRecord.isOf(new TriggerName("bill"), stored(sent))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "parked.attempts,-1",
    "parked.offset,x",
    "parked.partition,3000000000",
    "parked.first_failure,noon",
    "parked.trigger,a b",
    "parked.topic,"
  })
  void a_header_that_is_missing_or_damaged_is_named(String header, String value) {
    var sent = PARKED.of("trips.parked", new ConsumerRecord<>("trips.log", 3, 812, null, null));
    sent.headers().remove(header);
    if (value != null) {
      sent.headers().add(header, bytes(value));
    }

    assertThatThrownBy(() -> ParkedRecord.read(stored(sent)))
        .isInstanceOf(DamagedRecordException.class)
        .hasMessageStartingWith("trips.parked-3@7 can't be read: " + header + ": ");
  }

  private static ConsumerRecord<byte[], byte[]> stored(ProducerRecord<byte[], byte[]> sent) {
    return new ConsumerRecord<>(
        sent.topic(),
        sent.partition(),
        7,
        0,
        TimestampType.CREATE_TIME,
        0,
        0,
        sent.key(),
        sent.value(),
        new RecordHeaders(sent.headers()),
        Optional.empty());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
