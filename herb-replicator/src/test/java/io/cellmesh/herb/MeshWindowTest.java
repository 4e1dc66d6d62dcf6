package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class MeshWindowTest {
  private static final int SIZE = 10;
  private static final Duration WIDE_AFTER = Duration.ofSeconds(5);

  /** What the sink has committed. */
  private final Map<Integer, Long> sink = new HashMap<>(Map.of(0, 0L, 1, 0L));

  /** Own cells that it has passed; negative if that is not known. */
  private long own;

  private int asked;

  /** Where the next of the link's own comes in partition 0. */
  private long last;

  private long now = Long.MAX_VALUE - 5;
  private final SinkPlace place =
      new SinkPlace() {
        @Override
        public OptionalLong passed(int partition) {
          var next = sink.get(partition);
          return next == null ? OptionalLong.empty() : OptionalLong.of(next);
        }

        @Override
        public OptionalLong own() {
          return own < 0 ? OptionalLong.empty() : OptionalLong.of(own);
        }

        @Override
        public void ask() {
          asked++;
        }
      };
  private final MeshWindow window = window(Map.of());

  @Test
  void a_partition_is_read_up_to_the_window_and_on_when_the_sink_has_passed_some() {
    arrive(0, 0, 7);
    assertThat(window.hasRoom(0, 3)).isTrue();
    arrive(0, 7, 3);
    assertThat(window.hasRoom(0, 1)).isFalse();
    sink.put(0, 1L);
    assertThat(window.hasRoom(0, 1)).isTrue();
    assertThat(window.hasRoom(0, 2)).isFalse();
  }

  @Test
  void the_window_of_one_partition_holds_no_other() {
    arrive(0, 0, SIZE);
    assertThat(window.hasRoom(0, 1)).isFalse();
    assertThat(window.hasRoom(1, SIZE)).isTrue();
    assertThat(window.state().full()).isEqualTo(1);
  }

  @Test
  void what_is_read_or_under_way_counts_and_what_goes_elsewhere_does_no_longer() {
    window.read(0, 6);
    assertThat(window.hasRoom(0, 5)).isFalse();
    window.looked(0);
    assertThat(window.hasRoom(0, 5)).as("one was another data centre's").isTrue();
    for (int i = 0; i < 5; i++) {
      send(0);
      window.looked(0);
    }
    assertThat(window.hasRoom(0, 5)).isTrue();
    assertThat(window.hasRoom(0, 6)).isFalse();
  }

  @Test
  void what_goes_to_another_topic_does_not_count() {
    for (int i = 0; i < 2 * SIZE; i++) {
      window.counted(new ProducerRecord<>("trips.rejected", 0, null, null), null);
    }
    assertThat(window.hasRoom(0, SIZE)).isTrue();
  }

  @Test
  void offsets_of_others_between_ones_own_take_no_room() {
    var mine = send(0);
    arrived(mine, 0, 1_000);
    assertThat(window.hasRoom(0, SIZE - 1)).isTrue();
    sink.put(0, 1_001L);
    assertThat(window.hasRoom(0, SIZE)).isTrue();
  }

  @Test
  void an_empty_window_takes_whatever_a_poll_brings() {
    assertThat(window.hasRoom(0, 5 * SIZE)).isTrue();
    arrive(0, 0, 1);
    assertThat(window.hasRoom(0, 5 * SIZE)).isFalse();
  }

  @Test
  void what_stands_unsunk_when_a_run_begins_counts_up_to_a_window() {
    sink.put(0, 95L);
    var next = window(Map.of(0, 100L, 1, 1_000L));
    assertThat(next.hasRoom(0, 5)).isTrue();
    assertThat(next.hasRoom(0, 6)).isFalse();
    assertThat(next.hasRoom(1, 1)).isFalse();
    sink.put(1, 989L);
    assertThat(next.hasRoom(1, 1)).as("only the last ones may be its own").isFalse();
    sink.put(1, 991L);
    assertThat(next.hasRoom(1, 1)).isTrue();
  }

  @Test
  void where_no_sink_is_known_nothing_waits_and_once_it_is_the_last_ones_count() {
    arrive(7, 0, 5 * SIZE);
    assertThat(window.hasRoom(7, SIZE)).isTrue();
    assertThat(asked).as("nothing is under way").isZero();
    window.read(7, 1);
    assertThat(window.hasRoom(7, SIZE)).isTrue();
    assertThat(asked).isEqualTo(1);
    window.looked(7);
    sink.put(7, 45L);
    assertThat(window.hasRoom(7, SIZE - 5)).isTrue();
    assertThat(window.hasRoom(7, SIZE - 4)).isFalse();
  }

  @Test
  void the_sink_is_asked_after_only_while_half_of_a_window_is_full() {
    arrive(0, 0, 4);
    assertThat(window.hasRoom(0, 1)).isTrue();
    assertThat(asked).isZero();
    arrive(0, 4, 1);
    assertThat(window.hasRoom(0, 1)).isTrue();
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void a_mesh_topic_that_was_made_again_does_not_hold_the_link_for_ever() {
    arrive(0, 1_000, SIZE);
    assertThat(window.hasRoom(0, 1)).isFalse();
    var late = send(0);
    arrived(late, 0, 0);
    assertThat(window.hasRoom(0, SIZE - 1)).isTrue();
  }

  @Test
  void a_partition_that_is_begun_anew_has_nothing_left_that_waits_to_be_looked_at() {
    window.read(0, SIZE);
    assertThat(window.hasRoom(0, 1)).isFalse();
    window.leave(Set.of(0));
    assertThat(window.state().full()).isZero();
    window.begin(Set.of(0));
    assertThat(window.hasRoom(0, SIZE)).isTrue();
  }

  @Test
  void it_tells_for_how_long_the_sink_has_passed_nothing() {
    arrive(0, 0, SIZE);
    window.hasRoom(0, 5);
    now += Duration.ofSeconds(7).toNanos();
    assertThat(window.state()).isEqualTo(new MeshWindow.State(1, Duration.ofSeconds(7)));
    assertThat(window.stalled(Duration.ofSeconds(7))).containsExactly(0);
    assertThat(window.stalled(Duration.ofSeconds(8))).isEmpty();

    sink.put(0, 1L);
    window.hasRoom(0, 5);
    assertThat(window.state()).as("it goes on").isEqualTo(new MeshWindow.State(1, Duration.ZERO));
    sink.put(0, 9L);
    window.hasRoom(0, 5);
    assertThat(window.state()).isEqualTo(MeshWindow.State.OPEN);
  }

  @Test
  void it_tells_whether_others_cells_come_and_how_often_there_was_no_room() {
    sink.put(0, 100L);
    arrive(0, 100, 4);
    window.hasRoom(0, 1);
    assertThat(window.work()).isEqualTo(new MeshWindow.Work(0, 0));

    sink.put(0, 104L);
    window.hasRoom(0, 1);
    assertThat(window.work().others()).as("all were its own").isZero();

    arrived(send(0), 0, 106);
    sink.put(0, 107L);
    window.hasRoom(0, 1);
    assertThat(window.work().others()).as("another link's 104 and 105").isEqualTo(2);
    own = 5;
    assertThat(window.work().others()).isEqualTo(7);

    arrive(0, 107, SIZE);
    window.hasRoom(0, 1);
    window.hasRoom(0, 1);
    assertThat(window.work().waits()).isEqualTo(2);
  }

  @Test
  void it_is_four_times_as_wide_once_the_sink_has_passed_nobody_elses_for_five_seconds() {
    passOwn(Duration.ofMillis(4_999));
    assertThat(window.hasRoom(0, 2)).isFalse();
    passOwn(Duration.ofMillis(1));
    assertThat(window.hasRoom(0, 3 * SIZE)).isTrue();
    assertThat(window.hasRoom(0, 3 * SIZE + 1)).isFalse();
  }

  @Test
  void the_first_cell_of_this_data_centre_ends_a_wide_window() {
    passOwn(WIDE_AFTER);
    own++;
    assertThat(window.hasRoom(0, 2)).isFalse();
    passOwn(WIDE_AFTER);
    assertThat(window.hasRoom(0, 2)).as("and there was no other").isTrue();
  }

  @Test
  void the_first_cell_of_another_link_ends_a_wide_window_in_all_partitions() {
    window.hasRoom(1, 1);
    passOwn(WIDE_AFTER);
    sink.put(1, 1L);
    window.hasRoom(1, 1);
    assertThat(window.hasRoom(0, 2)).isFalse();
  }

  @Test
  void a_sink_that_passes_nothing_for_a_second_ends_a_wide_window() {
    passOwn(WIDE_AFTER);
    now += Duration.ofMillis(999).toNanos();
    assertThat(window.hasRoom(0, 2)).isTrue();
    now += Duration.ofMillis(1).toNanos();
    assertThat(window.hasRoom(0, 2)).isFalse();
    passOwn(Duration.ofMillis(1));
    assertThat(window.hasRoom(0, 2)).as("who else waits is not known").isFalse();
  }

  @Test
  void where_own_cells_are_not_known_a_window_does_not_become_wide() {
    own = -1;
    passOwn(WIDE_AFTER.multipliedBy(2));
    assertThat(window.hasRoom(0, 2)).isFalse();
  }

  /** For so long the sink passes a full window of partition 0, and each half a second one more. */
  private void passOwn(Duration time) {
    if (last == 0) {
      arrive(0, 0, SIZE);
      last = SIZE;
    }
    long end = now + time.toNanos();
    while (now != end) {
      now += Math.min(Duration.ofMillis(500).toNanos(), end - now);
      sink.merge(0, 1L, Long::sum);
      window.hasRoom(0, 1);
      arrive(0, last++, 1);
    }
  }

  private MeshWindow window(Map<Integer, Long> ends) {
    return new MeshWindow("trips.mesh", SIZE, place, ends, () -> now);
  }

  private void arrive(int partition, long from, int records) {
    for (long offset = from; offset < from + records; offset++) {
      arrived(send(partition), partition, offset);
    }
  }

  private Callback send(int partition) {
    return window.counted(new ProducerRecord<>("trips.mesh", partition, null, null), null);
  }

  private static void arrived(Callback sent, int partition, long offset) {
    var at = new TopicPartition("trips.mesh", partition);
    sent.onCompletion(new RecordMetadata(at, offset, 0, 0, 0, 0), null);
  }
}
