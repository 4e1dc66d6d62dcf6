package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LogEndsTest {
  private static final TopicPartition FETCHED = new TopicPartition("trips.log", 0);
  private static final TopicPartition WAITS = new TopicPartition("trips.log", 1);

  /** Has fetched some of one of its partitions, and nothing yet of the other. */
  private final MockConsumer<byte[], byte[]> consumer =
      new MockConsumer<>("none") {
        @Override
        public OptionalLong currentLag(TopicPartition at) {
          return at.equals(FETCHED) ? OptionalLong.of(30) : OptionalLong.empty();
        }
      };

  LogEndsTest() {
    consumer.updateEndOffsets(Map.of(FETCHED, 100L, WAITS, 4_000L));
  }

  @Test
  void that_of_a_partition_whose_turn_has_not_come_is_asked_for() {
    var ends = new LogEnds(consumer, 1_000);
    assertThat(ends.of(WAITS, 7)).isEqualTo(7);
    ends.look(Map.of(FETCHED, 70L, WAITS, 7L));
    assertThat(ends.of(WAITS, 7)).isEqualTo(4_000);
    assertThat(ends.of(FETCHED, 70)).isEqualTo(100);

    ends.leave(Set.of(WAITS));
    assertThat(ends.of(WAITS, 7)).isEqualTo(7);
  }

  @Test
  void what_the_consumer_knows_is_enough_while_little_is_left() {
    var ends = new LogEnds(consumer, 31);
    ends.look(Map.of(FETCHED, 60L));
    assertThat(ends.of(FETCHED, 60)).isEqualTo(90);

    var behind = new LogEnds(consumer, 29);
    behind.look(Map.of(FETCHED, 60L));
    assertThat(behind.of(FETCHED, 60)).as("asked for").isEqualTo(100);
  }
}
