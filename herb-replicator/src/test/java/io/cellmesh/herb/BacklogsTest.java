package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Two links that bring cells into the same partition, of which the sink passes all. */
class BacklogsTest {
  private static final int WINDOW = 100;
  private static final long MANY = 10_000_000;

  private final Map<Integer, Long> sink = new HashMap<>(Map.of(0, 0L));
  private final SinkPlace place =
      new SinkPlace() {
        @Override
        public OptionalLong passed(int partition) {
          return OptionalLong.of(sink.get(partition));
        }

        @Override
        public OptionalLong own() {
          return OptionalLong.of(own);
        }

        @Override
        public void ask() {
          // It is known.
        }
      };
  private final Backlogs backlogs = new Backlogs(0.5, WINDOW);
  private final List<Link> links = new ArrayList<>(List.of(new Link(), new Link()));
  private long now;
  private long own;
  private long end;

  @Test
  void of_two_backlogs_none_is_held_for_the_others_sake() {
    seconds(60, 0);
    assertThat(links.get(0).told).isEmpty();
    assertThat(links.get(1).told).isEmpty();
  }

  @Test
  void both_are_held_while_own_cells_come() {
    seconds(10, 1);
    assertThat(links.get(0).told).hasValue(WINDOW / 2.0);
    assertThat(links.get(1).told).hasValue(WINDOW / 2.0);
    seconds(10, 0);
    assertThat(links.get(0).told).isEmpty();
    assertThat(links.get(1).told).isEmpty();
  }

  @Test
  void one_is_held_for_a_link_that_has_none() {
    links.get(1).unread = WINDOW;
    seconds(10, 0);
    assertThat(links.get(0).told).hasValue(WINDOW / 2.0);
    assertThat(links.get(1).told).isEmpty();
  }

  @Test
  void one_is_held_once_the_other_is_over() {
    seconds(20, 0);
    links.get(1).unread = 0;
    seconds(10, 0);
    assertThat(links.get(0).told).isPresent();
  }

  @Test
  void what_a_link_brought_before_it_fell_behind_is_counted_as_it_was() {
    links.get(1).unread = 0;
    seconds(10, 0);
    links.get(1).unread = MANY;
    seconds(10, 0);
    assertThat(links.get(0).told).isEmpty();
  }

  @Test
  void a_run_that_has_ended_has_no_backlog() {
    seconds(20, 0);
    links.get(1).backlog.close();
    var other = links.remove(1);
    for (int second = 0; second < 10; second++) {
      other.bring();
      seconds(1, 0);
    }
    assertThat(links.get(0).told).isPresent();
  }

  /** In each of which so many own cells come. */
  private void seconds(int count, int cells) {
    for (int second = 0; second < count; second++) {
      now += TimeUnit.SECONDS.toNanos(1);
      links.forEach(Link::bring);
      own += cells;
      sink.put(0, end);
      links.forEach(Link::look);
    }
  }

  private final class Link {
    private final MeshWindow window =
        new MeshWindow("trips.mesh", WINDOW, place, Map.of(0, 0L), () -> now);
    private final Backlogs.Backlog backlog = backlogs.of(window);
    private long unread = MANY;
    private long brought;
    private OptionalDouble told = OptionalDouble.empty();

    /** A window in a second, and then there is no room. */
    void bring() {
      for (int i = 0; i < WINDOW; i++) {
        var sent = window.counted(new ProducerRecord<>("trips.mesh", 0, null, null), null);
        var at = new TopicPartition("trips.mesh", 0);
        sent.onCompletion(new RecordMetadata(at, end++, 0, 0, 0, 0), null);
      }
      brought += WINDOW;
      unread -= unread > WINDOW ? WINDOW : 0;
      assertThat(window.hasRoom(0, WINDOW)).isFalse();
    }

    void look() {
      told = backlog.look(now, unread, brought);
    }
  }
}
