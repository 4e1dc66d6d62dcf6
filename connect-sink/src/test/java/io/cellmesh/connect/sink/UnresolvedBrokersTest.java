package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.Test;

/** While no broker's name can be resolved, no client can be made; a task goes on later. */
class UnresolvedBrokersTest {
  private static final Map<String, Object> CLIENT =
      Map.of("bootstrap.servers", "brokers.invalid:9092");
  private static final TopicPartition AT = new TopicPartition("trips.cells", 0);

  @Test
  void the_first_offset_is_asked_for_again() {
    try (var start = new LogStart(CLIENT)) {
      assertThatThrownBy(() -> start.applyAsLong(AT))
          .isInstanceOf(RetriableException.class)
          .hasMessage(
              "brokers can't be asked now: No resolvable bootstrap urls given in bootstrap.servers");
    }
  }

  @Test
  void a_topics_id_is_asked_for_again() {
    var ids = new TopicIds(CLIENT);
    assertThatThrownBy(() -> ids.apply(AT.topic())).isInstanceOf(RetriableException.class);
  }

  @Test
  void nothing_is_known_of_what_was_committed() {
    try (var committed = new CommittedOffsets(CLIENT, "connect-trips-sink")) {
      committed.ask(Set.of(AT));
      assertThat(committed.answer()).isEmpty();
    }
  }
}
