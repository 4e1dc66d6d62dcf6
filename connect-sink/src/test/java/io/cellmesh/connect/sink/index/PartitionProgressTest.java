package io.cellmesh.connect.sink.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PartitionProgressTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final PartitionProgress progress = new PartitionProgress(List.of("c1", "c2"), 100);
  private final List<Long> seeks = new ArrayList<>();
  private long now;

  @Test
  void what_both_clusters_have_may_be_committed() {
    read(100, 110, "c1", "c2");
    assertThat(progress.committable(115)).isEqualTo(115);
    assertThat(progress.waiting("c2")).isZero();
  }

  @Test
  void nothing_that_a_cluster_lacks_may_be_committed() {
    read(100, 110, "c1", "c2");
    read(110, 120, "c1");
    read(120, 130, "c1");
    assertThat(progress.committable(130)).isEqualTo(110);
    assertThat(progress.waiting("c2")).isEqualTo(20);
  }

  @Test
  void a_cluster_that_missed_something_takes_nothing_behind_it() {
    read(100, 110, "c1");
    var span = progress.read(110, 120);
    assertThat(progress.follows("c1", span)).isTrue();
    assertThat(progress.follows("c2", span)).isFalse();
    progress.wrote("c2", span);
    assertThat(progress.committable(120)).isEqualTo(100);
  }

  @Test
  void offsets_that_compaction_has_left_out_are_no_gap() {
    read(100, 110, "c1", "c2");
    read(250, 260, "c1", "c2");
    assertThat(progress.committable(260)).isEqualTo(260);
  }

  @Test
  void what_was_under_way_may_end_late() {
    read(100, 110, "c1", "c2");
    var late = progress.read(110, 120);
    progress.wrote("c1", late);
    progress.seen();
    assertThat(progress.committable(120)).isEqualTo(110);
    progress.wrote("c2", late);
    assertThat(progress.committable(120)).isEqualTo(120);
  }

  @Test
  void reading_goes_back_for_a_cluster_that_is_back_and_gives_the_others_their_turns() {
    read(100, 110, "c1", "c2");
    read(110, 120, "c1");
    read(120, 130, "c1");
    turn("c1");
    assertThat(seeks).isEmpty();

    turn("c1", "c2");
    assertThat(seeks).containsExactly(110L);
    read(110, 115, "c2");
    turn("c1", "c2");
    assertThat(seeks).containsExactly(110L, 130L);
    read(130, 140, "c1");
    turn("c1", "c2");
    assertThat(seeks).containsExactly(110L, 130L, 115L);
    read(115, 140, "c2");
    turn("c1", "c2");
    assertThat(seeks).hasSize(3);
    assertThat(progress.committable(140)).isEqualTo(140);
  }

  @Test
  void while_it_goes_back_what_a_cluster_has_is_not_written_again() {
    read(100, 110, "c1", "c2");
    read(110, 120, "c1");
    turn("c1", "c2");
    var span = progress.read(110, 125);
    assertThat(progress.lacks("c1", 119)).isFalse();
    assertThat(progress.lacks("c1", 120)).isTrue();
    assertThat(progress.lacks("c2", 110)).isTrue();
    assertThat(progress.follows("c1", span)).isTrue();
    assertThat(progress.seenBefore(119)).isTrue();
    assertThat(progress.seenBefore(120)).isFalse();
  }

  @Test
  void where_nothing_new_comes_the_next_turn_begins_after_a_while() {
    read(100, 110, "c1");
    turn("c1", "c2");
    read(100, 105, "c2");
    turn("c1", "c2");
    assertThat(seeks).containsExactly(100L, 110L);
    turn("c1", "c2");
    assertThat(seeks).hasSize(2);
    now += SECOND;
    turn("c1", "c2");
    assertThat(seeks).containsExactly(100L, 110L, 105L);
  }

  @Test
  void when_the_cluster_goes_away_again_reading_returns_to_the_head() {
    read(100, 110, "c1");
    turn("c1", "c2");
    read(100, 105);
    turn("c1");
    assertThat(seeks).containsExactly(100L, 110L);
    assertThat(progress.committable(110)).isEqualTo(100);
  }

  @Test
  void with_nobody_at_the_head_reading_goes_on_without_turns() {
    read(100, 110);
    turn("c1", "c2");
    read(100, 105, "c1", "c2");
    turn("c1", "c2");
    read(105, 110, "c1", "c2");
    turn("c1", "c2");
    assertThat(seeks).containsExactly(100L);
    assertThat(progress.committable(110)).isEqualTo(110);
  }

  @Test
  void records_from_before_are_written_again_and_no_hole_is_forgotten() {
    read(100, 110, "c1", "c2");
    read(110, 120, "c1");
    var span = progress.read(105, 108);
    assertThat(progress.follows("c1", span)).isTrue();
    assertThat(progress.lacks("c1", 105)).isTrue();
    progress.wrote("c1", span);
    progress.wrote("c2", span);
    progress.seen();
    assertThat(progress.committable(108)).isEqualTo(108);

    var late = new PartitionProgress(List.of("c1", "c2"), 0);
    late.wrote("c1", late.read(0, 10));
    late.seen();
    late.read(10, 20);
    late.seen();
    late.read(15, 20);
    late.seen();
    assertThat(late.committable(20)).isZero();
  }

  /** Clusters come and go, writes fail or end late, the partition changes hands. */
  @Test
  void whatever_happens_nothing_unwritten_is_committed_and_in_the_end_all_is_written() {
    for (int seed = 0; seed < 500; seed++) {
      new Run(new Random(seed)).run(seed);
    }
  }

  private void read(long from, long end, String... writing) {
    var span = progress.read(from, end);
    for (var cluster : writing) {
      if (progress.follows(cluster, span)) {
        progress.wrote(cluster, span);
      }
    }
    progress.seen();
  }

  private void turn(String... ready) {
    progress.turn(
        Set.of(ready)::contains,
        now,
        true,
        offset -> {
          seeks.add(offset);
        });
  }

  private static final class Run {
    private static final List<String> CLUSTERS = List.of("c1", "c2", "c3");
    private static final int LENGTH = 400;

    private final Random random;
    private final List<Set<Long>> written =
        List.of(new HashSet<>(), new HashSet<>(), new HashSet<>());
    private final List<Runnable> late = new ArrayList<>();
    private PartitionProgress progress;
    private long position;
    private long committed;
    private int end;

    Run(Random random) {
      this.random = random;
    }

    void run(int seed) {
      for (int step = 0; step < 300; step++) {
        end = Math.min(LENGTH, end + random.nextInt(4));
        step(random.nextInt(8), step);
        check(seed);
      }
      end = LENGTH;
      late.forEach(Runnable::run);
      for (int step = 300; step < 1300; step++) {
        step(7, step);
      }
      check(seed);
      assertThat(committed).as("seed %d", seed).isEqualTo(LENGTH);
    }

    /** Bits of {@code up} say which clusters take writes. */
    private void step(int up, int step) {
      if (random.nextInt(40) == 0 && step < 300) {
        progress = null;
        late.clear();
        position = committed;
      }
      if (position < end) {
        poll(up, Math.min(end, position + 1 + random.nextInt(10)));
      }
      if (progress != null) {
        if (!late.isEmpty() && random.nextBoolean()) {
          late.remove(0).run();
        }
        progress.turn(
            c -> up(up, CLUSTERS.indexOf(c)), step * SECOND, true, offset -> position = offset);
        committed = progress.committable(position);
      }
    }

    private void poll(int up, long to) {
      if (progress == null) {
        progress = new PartitionProgress(CLUSTERS, position);
      }
      var span = progress.read(position, to);
      for (int c = 0; c < CLUSTERS.size(); c++) {
        write(up, c, span);
      }
      progress.seen();
      position = to;
    }

    private void write(int up, int c, PartitionProgress.Span span) {
      var cluster = CLUSTERS.get(c);
      var lacking = new ArrayList<Long>();
      for (long offset = Math.max(span.from(), 0); offset < span.end(); offset++) {
        if (offset % CLUSTERS.size() == c && progress.lacks(cluster, offset)) {
          lacking.add(offset);
        }
      }
      if (lacking.isEmpty()) {
        progress.wrote(cluster, span);
      } else if (up(up, c) && progress.follows(cluster, span)) {
        var owner = progress;
        Runnable done =
            () -> {
              written.get(c).addAll(lacking);
              owner.wrote(cluster, span);
            };
        if (random.nextInt(5) == 0) {
          late.add(done);
        } else {
          done.run();
        }
      }
    }

    private static boolean up(int up, int cluster) {
      return (up >> cluster & 1) == 1;
    }

    private void check(int seed) {
      for (long offset = 0; offset < committed; offset++) {
        if (!written.get((int) (offset % CLUSTERS.size())).contains(offset)) {
          throw new AssertionError(
              "seed %d: %d is not written and %d committed".formatted(seed, offset, committed));
        }
      }
    }
  }
}
