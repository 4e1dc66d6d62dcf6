package io.cellmesh.worker.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology.Server;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HedgingTest {
  private static final Server ONE = new Server("n1", 1, "a");
  private static final Server TWO = new Server("n2", 1, "b");

  private final Hedging hedging = new Hedging();

  @Test
  void a_server_is_waited_for_as_long_as_95_of_its_last_answers_took() {
    for (int i = 1; i <= 100; i++) {
      hedging.took(ONE, 1, Duration.ofMillis(i).dividedBy(10).toNanos());
    }
    assertThat(hedging.delay(ONE, 1, false)).isEqualTo(Duration.ofNanos(9_500_000));
    assertThat(hedging.delay(ONE, 1, true)).as("the master").isEqualTo(Duration.ofNanos(9_900_000));

    for (int i = 0; i < 500; i++) {
      hedging.took(ONE, 1, Duration.ofMillis(20).toNanos());
    }
    assertThat(hedging.delay(ONE, 1, false)).as("recent ones").isEqualTo(Duration.ofMillis(20));
  }

  @Test
  void each_server_and_each_kind_of_read_has_its_own() {
    for (int i = 0; i < 100; i++) {
      hedging.took(ONE, 1, Duration.ofMillis(2).toNanos());
      hedging.took(ONE, 500, Duration.ofMillis(30).toNanos());
    }
    assertThat(hedging.delay(ONE, 1, false)).isEqualTo(Duration.ofMillis(2));
    assertThat(hedging.delay(ONE, 2, false)).isEqualTo(Duration.ofMillis(30));
    assertThat(hedging.delay(TWO, 1, false)).as("not seen yet").isEqualTo(Hedging.LONGEST);
  }

  @Test
  void it_is_never_less_than_a_millisecond_nor_more_than_fifty() {
    for (int i = 0; i < 100; i++) {
      hedging.took(ONE, 1, 1_000);
      hedging.took(TWO, 1, Duration.ofSeconds(1).toNanos());
    }
    assertThat(hedging.delay(ONE, 1, false)).isEqualTo(Duration.ofMillis(1));
    assertThat(hedging.delay(TWO, 1, false)).isEqualTo(Duration.ofMillis(50));
  }

  @Test
  void whatever_comes_no_more_are_hedged_than_may_be() {
    var random = new Random(5);
    int hedges = 0;
    int toMaster = 0;
    for (int reads = 1; reads <= 20_000; reads++) {
      hedging.begins("c1");
      boolean master = random.nextBoolean();
      if (random.nextInt(reads % 5_000 < 2_500 ? 50 : 2) == 0 && hedging.allows("c1", master)) {
        hedges++;
        toMaster += master ? 1 : 0;
      }
      assertThat(hedges).isLessThanOrEqualTo(reads * Hedging.PERCENT / 100);
      assertThat(toMaster).isLessThanOrEqualTo(reads * Hedging.PERCENT_TO_MASTER / 100);
    }
    assertThat(hedges).isGreaterThan(500);
    assertThat(toMaster).isGreaterThan(100);
  }

  @Test
  void what_is_saved_up_is_ten_hedges_and_of_one_cluster() {
    for (int i = 0; i < 100_000; i++) {
      hedging.begins("c1");
    }
    for (int i = 0; i < 10; i++) {
      assertThat(hedging.allows("c1", false)).isTrue();
    }
    assertThat(hedging.allows("c1", false)).isFalse();
    assertThat(hedging.allows("c2", false)).isFalse();
  }
}
