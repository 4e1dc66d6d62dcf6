package io.cellmesh.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PartitionReaderTest {
  private static final TopicPartition AT = new TopicPartition("trips.cells", 1);

  private final MockConsumer<byte[], byte[]> client = new MockConsumer<>("none");
  private final PartitionReader reader = new PartitionReader(client);
  private final List<Long> read = new ArrayList<>();

  @Test
  void where_records_go_before_they_are_read_the_first_that_is_left_comes_next() {
    client.schedulePollTask(() -> client.addRecord(record(10)));
    client.schedulePollTask(() -> outOfRange(11, 12));
    client.schedulePollTask(() -> client.addRecord(record(12)));

    assertThat(reader.readRetained(AT, 10, 13, record -> read.add(record.offset()))).isTrue();
    assertThat(read).containsExactly(10L, 12L);
  }

  @Test
  void where_all_go_before_they_are_read_there_is_nothing_to_wait_for() {
    client.schedulePollTask(() -> outOfRange(10, 20));

    assertThat(reader.readRetained(AT, 10, 13, record -> read.add(record.offset()))).isTrue();
    assertThat(read).isEmpty();
  }

  @Test
  void where_none_go_it_says_so() {
    client.schedulePollTask(() -> client.addRecord(record(10)));

    assertThat(reader.readRetained(AT, 10, 11, record -> read.add(record.offset()))).isFalse();
    assertThat(read).containsExactly(10L);
  }

  @Test
  void a_partition_that_has_lost_its_end_is_not_taken_for_one_with_fewer_records() {
    client.schedulePollTask(() -> outOfRange(10, 0));

    assertThatThrownBy(() -> reader.readRetained(AT, 10, 13, record -> read.add(record.offset())))
        .isInstanceOf(KafkaException.class)
        .hasMessageStartingWith(
            "trips.cells-1 no longer has offset 10, though it ended at 13 a moment ago: ");
  }

  private void outOfRange(long offset, long begin) {
    client.updateBeginningOffsets(Map.of(AT, begin));
    client.setPollException(new OffsetOutOfRangeException(Map.of(AT, offset)));
  }

  private static ConsumerRecord<byte[], byte[]> record(long offset) {
    return new ConsumerRecord<>(AT.topic(), AT.partition(), offset, new byte[] {1}, new byte[] {2});
  }
}
