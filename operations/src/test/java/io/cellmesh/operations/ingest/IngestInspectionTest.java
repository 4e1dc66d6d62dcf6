package io.cellmesh.operations.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.storage.RecordDigest;
import java.time.Duration;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** Whether the record before a position is the one that was read. */
class IngestInspectionTest {
  private static final TopicPartition AT = new TopicPartition("trips.cells", 3);
  private static final byte[] KEY = {1};
  private static final byte[] VALUE = {2};

  private final MockConsumer<byte[], byte[]> client = new MockConsumer<>("none");

  @Test
  void a_record_is_known_by_its_digest() {
    shows(41);

    assertThat(digest()).hasValue(RecordDigest.of(KEY, VALUE));
  }

  @Test
  void one_is_gone_where_a_later_one_comes_in_its_place() {
    shows(43);

    assertThat(digest()).isEmpty();
  }

  @Test
  void one_that_a_slow_broker_does_not_show_is_not_taken_for_gone() {
    assertThatThrownBy(this::digest)
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("record 41 of trips.cells-3");
  }

  private OptionalLong digest() {
    return IngestInspection.digest(client, AT, 41, Duration.ofMillis(50));
  }

  private void shows(long offset) {
    client.schedulePollTask(
        () ->
            client.addRecord(new ConsumerRecord<>(AT.topic(), AT.partition(), offset, KEY, VALUE)));
  }
}
