package io.cellmesh.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class StateTopicTest {
  private static final TopicPartition AT = new TopicPartition("trips.mesh-place", 0);

  private final MockConsumer<String, String> consumer = new MockConsumer<>("none");
  private final List<String> read = new ArrayList<>();

  StateTopicTest() {
    consumer.assign(List.of(AT));
    consumer.seek(AT, 0);
  }

  @Test
  void everything_that_is_there_is_handed_over_and_what_comes_later_is_not_waited_for() {
    consumer.updateEndOffsets(Map.of(AT, 2L));
    consumer.schedulePollTask(() -> add(0));
    consumer.schedulePollTask(() -> add(1));
    read(Duration.ofSeconds(30));
    assertThat(read).containsExactly("value 0", "value 1");
  }

  @Test
  void of_what_comes_at_once_each_key_is_handed_over_once_with_its_newest_value() {
    consumer.updateEndOffsets(Map.of(AT, 4L));
    consumer.schedulePollTask(
        () -> {
          add(0);
          add("another", 1);
          add("third", 2);
          add(3);
        });
    read(Duration.ofSeconds(30));
    assertThat(read).containsExactly("value 1", "value 2", "value 3");
  }

  @Test
  void keys_of_bytes_are_the_same_where_their_bytes_are() {
    var records =
        List.of(
            new ConsumerRecord<>("trips.checkpoint", 0, 0, new byte[] {1, 2}, "old"),
            new ConsumerRecord<>("trips.checkpoint", 0, 1, new byte[] {1}, "other"),
            new ConsumerRecord<>("trips.checkpoint", 0, 2, new byte[] {1, 2}, (String) null));
    assertThat(NewestOfKeys.of(records))
        .extracting(ConsumerRecord::value)
        .containsExactly("other", null);
  }

  @Test
  void what_is_there_and_does_not_come_is_told_and_not_waited_for_without_end() {
    consumer.updateEndOffsets(Map.of(AT, 2L));
    consumer.schedulePollTask(() -> add(0));
    assertThatThrownBy(() -> read(Duration.ofMillis(20)))
        .isInstanceOf(TimeoutException.class)
        .hasMessage("places at kafka: no record came for 0 s of the 1 that are there");
    assertThat(read).containsExactly("value 0");
  }

  @Test
  void a_partition_that_is_taken_away_is_not_waited_for() {
    consumer.updateEndOffsets(Map.of(AT, 2L));
    consumer.schedulePollTask(() -> add(0));
    consumer.schedulePollTask(() -> consumer.assign(List.of()));
    read(Duration.ofSeconds(30));
    assertThat(read).containsExactly("value 0");
  }

  private void read(Duration stalled) {
    StateTopic.readToEnd(
        "places at kafka", consumer, Set.of(AT), record -> read.add(record.value()), stalled);
  }

  private void add(long offset) {
    add("key", offset);
  }

  private void add(String key, long offset) {
    consumer.addRecord(new ConsumerRecord<>(AT.topic(), 0, offset, key, "value " + offset));
  }
}
