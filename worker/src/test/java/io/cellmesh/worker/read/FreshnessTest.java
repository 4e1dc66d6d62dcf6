package io.cellmesh.worker.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.storage.Mark;
import io.cellmesh.storage.Position;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FreshnessTest {
  private final Freshness freshness = new Freshness();

  @Test
  void an_answer_lacks_at_most_what_came_since_the_last_position_that_the_minion_has_passed() {
    freshness.saw(100, Map.of(0, at(5, 0)));
    freshness.saw(200, Map.of(0, at(7, 0)));
    freshness.saw(300, Map.of(0, at(9, 0)));

    assertThat(freshness.staleUpTo(Map.of(0, at(9, 0)), 350)).contains(Duration.ofNanos(50));
    assertThat(freshness.staleUpTo(Map.of(0, at(8, 0)), 350)).contains(Duration.ofNanos(150));
    assertThat(freshness.staleUpTo(Map.of(0, at(5, 0)), 350)).contains(Duration.ofNanos(250));
  }

  @Test
  void what_came_from_peers_counts_as_well_and_so_does_every_partition() {
    freshness.saw(100, Map.of(0, at(5, 5), 1, at(1, 1)));

    assertThat(freshness.staleUpTo(Map.of(0, at(5, 4)), 350)).isEmpty();
    assertThat(freshness.staleUpTo(Map.of(0, at(5, 5), 1, at(0, 1)), 350)).isEmpty();
    assertThat(freshness.staleUpTo(Map.of(0, at(5, 5), 1, at(1, 1)), 350)).isPresent();
    assertThat(freshness.staleUpTo(Map.of(2, at(9, 9)), 350)).as("never seen").isEmpty();
  }

  @Test
  void nobody_can_tell_of_a_minion_that_is_behind_all_that_was_seen() {
    assertThat(freshness.staleUpTo(Map.of(0, at(5, 0)), 350)).isEmpty();
    assertThat(freshness.age(350)).isEmpty();

    freshness.saw(300, Map.of(0, at(9, 0)));
    assertThat(freshness.staleUpTo(Map.of(0, at(5, 0)), 350)).isEmpty();
    assertThat(freshness.age(350)).contains(Duration.ofNanos(50));
  }

  private static Position at(long cells, long mesh) {
    return new Position(new Mark(cells, 0), new Mark(mesh, 0));
  }
}
