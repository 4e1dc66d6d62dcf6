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

/**
 * Two links that bring cells, into the same partition unless said otherwise. The sink passes all.
 */
class BacklogsTest {
  private static final int WINDOW = 100;
  private static final long MANY = 10_000_000;

  private final Map<Integer, Long> sink = new HashMap<>(Map.of(0, 0L, 1, 0L));
  private final Map<Integer, Long> ends = new HashMap<>(sink);
  private final SinkPlace place =
      new SinkPlace() {
        @Override
        public OptionalLong passed(int partition) {
          return OptionalLong.of(sink.get(partition));
        }

        @Override
        public OptionalLong own() {
          asked--;
          if (asked == 0) {
            sink.putAll(ends);
          }
          return OptionalLong.of(own);
        }

        @Override
        public void ask() {
          // It is known.
        }
      };
  private final Backlogs backlogs = new Backlogs(0.5, WINDOW);
  private final List<Link> links = new ArrayList<>(List.of(new Link(0), new Link(0)));
  private long now;
  private long own;

  /** How often own cells are asked for until the sink passes all. */
  private int asked;

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
  void what_others_wrote_into_a_peers_log_is_no_backlog() {
    for (var link : links) {
      link.unread = 300 * WINDOW;
      link.records = 3;
    }
    seconds(30, 1);
    assertThat(links.get(0).told).as("over within two minutes").isEmpty();
    links.get(0).records = 1;
    links.get(0).unread = MANY;
    seconds(30, 1);
    assertThat(links.get(0).told).isPresent();
  }

  @Test
  void a_rebuilt_log_is_held_though_it_would_soon_be_over() {
    for (var link : links) {
      link.unread = 60 * WINDOW;
    }
    links.get(0).rebuilt = true;
    seconds(10, 1);
    assertThat(links.get(0).told).hasValue(WINDOW / 2.0);
    assertThat(links.get(1).told).as("of an outage").isEmpty();
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

  @Test
  void a_backlog_in_partitions_that_another_process_reads_hides_nobody() {
    links.set(1, new Link(1));
    seconds(10, 1);
    assertThat(links.get(0).told).isPresent();
    assertThat(links.get(1).told).isPresent();
  }

  @Test
  void others_are_seen_after_own_cells_are_counted_anew() {
    own = 1_000_000;
    seconds(20, 0);
    own = 0;
    seconds(1, 0);
    assertThat(links.get(0).told).isEmpty();
    seconds(10, 1);
    assertThat(links.get(0).told).isPresent();
  }

  @Test
  void what_the_sink_passes_between_the_looks_at_two_links_is_counted_once() {
    for (int second = 0; second < 30; second++) {
      now += TimeUnit.SECONDS.toNanos(1);
      links.forEach(Link::bring);
      if (second % 2 == 0) {
        sink.putAll(ends);
      } else {
        asked = 2;
      }
      links.forEach(Link::look);
      assertThat(sink).isEqualTo(ends);
    }
    assertThat(links.get(0).told).isEmpty();
  }

  /** In each of which so many own cells come. */
  private void seconds(int count, int cells) {
    for (int second = 0; second < count; second++) {
      now += TimeUnit.SECONDS.toNanos(1);
      links.forEach(Link::bring);
      own += cells;
      sink.putAll(ends);
      links.forEach(Link::look);
    }
  }

  private final class Link {
    private final int partition;
    private final MeshWindow window;
    private final Backlogs.Backlog backlog;
    private long unread = MANY;

    /** From anywhere. */
    private long brought = 50_000;

    private long read;

    /** Of how many records of the peer's log one is to be brought. */
    private int records = 1;

    /** Whether it reads a rebuilt log, and what it has brought of it. */
    private boolean rebuilt;

    private long anew;

    private OptionalDouble told = OptionalDouble.empty();

    private Link(int partition) {
      this.partition = partition;
      this.window =
          new MeshWindow(
              "trips.mesh", WINDOW, place, Map.of(partition, ends.get(partition)), () -> now);
      this.backlog = backlogs.of(window);
    }

    /** A window in a second, and then there is no room. */
    void bring() {
      for (int i = 0; i < WINDOW; i++) {
        var sent = window.counted(new ProducerRecord<>("trips.mesh", partition, null, null), null);
        var at = new TopicPartition("trips.mesh", partition);
        long offset = ends.merge(partition, 1L, Long::sum) - 1;
        sent.onCompletion(new RecordMetadata(at, offset, 0, 0, 0, 0), null);
      }
      brought += WINDOW;
      anew += rebuilt ? WINDOW : 0;
      long next = (long) records * WINDOW;
      read += next;
      unread -= unread > next ? next : 0;
      assertThat(window.hasRoom(partition, WINDOW)).isFalse();
    }

    void look() {
      told = backlog.look(now, new Backlogs.Reading(unread, read, brought, anew));
    }
  }
}
