package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

class DeliveredOffsetsTest {
  private static final TopicPartition AT = new TopicPartition("trips.cells", 3);
  private static final TopicPartition OTHER = new TopicPartition("trips.mesh", 3);
  private static final Map<TopicPartition, OffsetAndMetadata> SEEN =
      Map.of(AT, new OffsetAndMetadata(8), OTHER, new OffsetAndMetadata(5));

  private final DeliveredOffsets delivered = new DeliveredOffsets();

  @Test
  void what_connect_has_delivered_it_has_consumed() {
    delivered.delivered(List.of(record(AT), record(OTHER)));
    delivered.failed(List.of(record(AT)));
    assertThat(delivered.trusted(SEEN)).as("what failed does not count yet").isEqualTo(SEEN);
    delivered.delivered(List.of(record(AT)));
    assertThat(delivered.trusted(SEEN)).isEqualTo(SEEN);
  }

  @Test
  void what_failed_and_was_taken_away_is_left_out_until_it_comes() {
    delivered.failed(List.of(record(AT)));
    delivered.opened(List.of(AT, OTHER));
    delivered.delivered(List.of());
    assertThat(delivered.trusted(SEEN)).containsOnlyKeys(OTHER);
    delivered.delivered(List.of(record(OTHER)));
    assertThat(delivered.trusted(SEEN)).containsOnlyKeys(OTHER);
    delivered.delivered(List.of(record(AT)));
    assertThat(delivered.trusted(SEEN)).isEqualTo(SEEN);
  }

  @Test
  void whoever_gets_a_partition_later_is_told_by_kafka_where_it_stands() {
    delivered.failed(List.of(record(AT)));
    delivered.delivered(List.of());
    delivered.opened(List.of(AT));
    assertThat(delivered.trusted(SEEN)).isEqualTo(SEEN);
  }

  /** As RegexRouter does it. */
  @Test
  void what_a_transformation_has_renamed_is_known_by_the_partition_that_it_was_read_from() {
    var renamed = record(AT).newRecord("cells", 0, null, null, null, null, null);
    delivered.failed(List.of(renamed));
    delivered.opened(List.of(AT, OTHER));
    delivered.delivered(List.of());
    assertThat(delivered.trusted(SEEN)).containsOnlyKeys(OTHER);
    delivered.delivered(List.of(renamed));
    assertThat(delivered.trusted(SEEN)).isEqualTo(SEEN);
  }

  private static SinkRecord record(TopicPartition at) {
    return new SinkRecord(at.topic(), at.partition(), null, null, null, null, 7);
  }
}
