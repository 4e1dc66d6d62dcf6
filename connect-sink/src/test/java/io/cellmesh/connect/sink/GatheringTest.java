package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GatheringTest {
  private static final TopicPartition AT = new TopicPartition("trips.cells", 3);
  private static final TopicPartition OTHER = new TopicPartition("trips.cells", 4);
  private static final long SOON = Gathering.AT_ONCE - 1;

  private final Map<TopicPartition, Long> read = new HashMap<>();
  private final Gathering gathering = new Gathering(0);

  @BeforeEach
  void beginAFlow() {
    read.put(AT, 7L);
    read.put(OTHER, 100L);
    gathering.ended(0);
    assertThat(keeps(SOON, record(AT, 6))).as("the first at once may be chance").isFalse();
  }

  @Test
  void a_few_that_come_at_once_again_and_again_go_with_those_of_the_next_poll() {
    assertThat(keeps(SOON, record(AT, 7), record(OTHER, 100))).isTrue();
    var more = List.of(record(AT, 8), record(AT, 9));
    assertThat(gathering.keeps(more, SOON, read::get)).as("once is enough").isFalse();
    assertThat(offsets(gathering.with(more))).containsExactly(List.of(7L, 100L, 8L, 9L));
    gathering.written();
    assertThat(offsets(gathering.with(List.of()))).containsExactly(List.of());
    assertThat(keeps(SOON, record(AT, 7))).as("the flow goes on").isTrue();
  }

  @Test
  void a_cell_that_comes_alone_does_not_wait() {
    assertThat(keeps(Gathering.AT_ONCE, record(AT, 7))).isFalse();
    assertThat(keeps(SOON, record(AT, 7))).as("the first at once since").isFalse();
    assertThat(keeps(SOON, record(AT, 7))).isTrue();
  }

  @Test
  void where_nothing_came_in_addition_the_flow_has_ended() {
    assertThat(keeps(SOON, record(AT, 7))).isTrue();
    assertThat(keeps(SOON)).isFalse();
    assertThat(offsets(gathering.with(List.of()))).containsExactly(List.of(7L));
    gathering.written();
    assertThat(keeps(SOON, record(AT, 7))).isFalse();
  }

  @Test
  void many_do_not_wait() {
    var many = Collections.nCopies(Gathering.FEW, record(AT, 7));
    assertThat(gathering.keeps(many, SOON, read::get)).isFalse();
    assertThat(offsets(gathering.with(many)).get(0)).hasSize(Gathering.FEW);
  }

  @Test
  void what_does_not_follow_on_what_was_read_does_not_wait() {
    assertThat(keeps(SOON, record(AT, 7), record(OTHER, 101))).as("there may be a gap").isFalse();
    read.put(OTHER, -1L);
    assertThat(keeps(SOON, record(OTHER, 100))).as("it was not read, or was asked for").isFalse();
  }

  @Test
  void what_does_not_join_is_written_apart_so_that_a_gap_is_seen() {
    assertThat(keeps(SOON, record(AT, 7))).isTrue();
    assertThat(offsets(gathering.with(List.of(record(OTHER, 200), record(AT, 9)))))
        .containsExactly(List.of(7L), List.of(200L, 9L));
    assertThat(offsets(gathering.with(List.of(record(OTHER, 200), record(AT, 8)))))
        .containsExactly(List.of(7L, 200L, 8L));
  }

  @Test
  void what_waits_is_not_consumed() {
    assertThat(keeps(SOON, record(AT, 7), record(AT, 8))).isTrue();
    assertThat(gathering.before(seen(9, 100))).isEqualTo(seen(7, 100));
    assertThat(gathering.before(seen(5, 100))).as("and nothing more is").isEqualTo(seen(5, 100));
    assertThat(gathering.before(Map.of())).as("nor what is left out").isEmpty();
    gathering.written();
    assertThat(gathering.before(seen(9, 100))).isEqualTo(seen(9, 100));
  }

  @Test
  void what_a_delivery_failed_with_goes_with_it_when_it_comes_again() {
    assertThat(keeps(SOON, record(AT, 7))).isTrue();
    var failed = List.of(record(AT, 8));
    for (int delivery = 0; delivery < 2; delivery++) {
      assertThat(gathering.keeps(failed, SOON, read::get)).isFalse();
      assertThat(offsets(gathering.with(failed))).containsExactly(List.of(7L, 8L));
    }
  }

  @Test
  void what_waits_of_a_lost_partition_is_forgotten() {
    assertThat(keeps(SOON, record(AT, 7), record(OTHER, 100))).isTrue();
    gathering.forget(List.of(AT));
    assertThat(offsets(gathering.with(List.of(record(AT, 7))))).containsExactly(List.of(100L, 7L));
    gathering.forget(List.of(OTHER));
    assertThat(offsets(gathering.with(List.of()))).containsExactly(List.of());
  }

  private boolean keeps(long now, SinkRecord... records) {
    return gathering.keeps(List.of(records), now, read::get);
  }

  private static List<List<Long>> offsets(List<Collection<SinkRecord>> polls) {
    return polls.stream()
        .map(records -> records.stream().map(SinkRecord::originalKafkaOffset).toList())
        .toList();
  }

  private static Map<TopicPartition, OffsetAndMetadata> seen(long at, long other) {
    return Map.of(AT, new OffsetAndMetadata(at), OTHER, new OffsetAndMetadata(other));
  }

  private static SinkRecord record(TopicPartition at, long offset) {
    return new SinkRecord(at.topic(), at.partition(), null, null, null, null, offset);
  }
}
