package io.cellmesh.operations.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.ReadPlace;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class FirstWaitingTest {
  private static final TopicPartition AT = new TopicPartition("trips.log", 3);

  private final MockConsumer<byte[], byte[]> client = new MockConsumer<>("none");

  @Test
  void where_retention_takes_a_place_meanwhile_the_first_record_that_is_left_waits() {
    client.updateBeginningOffsets(Map.of(AT, 41L));
    client.schedulePollTask(
        () -> client.setPollException(new OffsetOutOfRangeException(Map.of(AT, 10L))));
    client.schedulePollTask(() -> client.addRecord(record(41)));
    var place = new ReadPlace(AT.topic(), AT.partition(), OptionalLong.of(10), 0, 50);

    var waiting = new FirstWaiting(client).of(List.of(place));

    assertThat(waiting).containsOnlyKeys(AT.partition());
    assertThat(waiting.get(AT.partition()).offset()).isEqualTo(41);
  }

  private static ConsumerRecord<byte[], byte[]> record(long offset) {
    return new ConsumerRecord<>(AT.topic(), AT.partition(), offset, new byte[] {1}, new byte[] {2});
  }
}
