package io.cellmesh.operations.mesh.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LookOrderTest {
  private static final Duration INTERVAL = Duration.ofSeconds(15);

  private long now = -100;
  private final LookOrder order = new LookOrder(() -> now);

  @Test
  void what_was_looked_at_longest_ago_comes_next_by_whomever_it_was() {
    add(1, Optional.of(Duration.ofSeconds(20)));
    add(2, Optional.of(Duration.ofMinutes(2)));
    add(3, Optional.empty());
    assertThat(order.next(INTERVAL)).as("never looked at").contains(3);
    order.looked(3);
    assertThat(order.next(INTERVAL)).contains(2);
    order.looked(2);
    assertThat(order.next(INTERVAL)).contains(1);
    order.looked(1);
    assertThat(order.next(INTERVAL)).as("all, of late").isEmpty();
    pass(INTERVAL);
    assertThat(order.next(INTERVAL)).isPresent();
  }

  @Test
  void one_whose_look_fails_each_time_holds_up_no_other() {
    add(1, Optional.of(Duration.ofMinutes(2)));
    add(2, Optional.of(Duration.ofMinutes(1)));
    assertThat(order.next(INTERVAL)).contains(1);
    order.looked(1);

    // It fails, and the process begins again as a member of the group that has nothing yet.
    assertThat(order.share(Set.of())).isEmpty();
    assertThat(order.next(INTERVAL)).isEmpty();
    add(1, Optional.of(Duration.ofMinutes(2)));
    add(2, Optional.of(Duration.ofMinutes(1)));
    assertThat(order.next(INTERVAL)).contains(2);
  }

  @Test
  void what_others_have_looked_at_meanwhile_waits_its_turn() {
    add(1, Optional.empty());
    order.looked(1);
    pass(Duration.ofMinutes(5));
    order.share(Set.of());
    add(1, Optional.of(Duration.ofSeconds(5)));
    assertThat(order.next(INTERVAL)).isEmpty();
  }

  @Test
  void a_clock_that_is_ahead_elsewhere_puts_nothing_off() {
    add(1, Optional.of(Duration.ofDays(-1)));
    assertThat(order.next(INTERVAL)).isEmpty();
    pass(INTERVAL);
    assertThat(order.next(INTERVAL)).contains(1);
  }

  @Test
  void only_what_it_has_is_asked_about_once() {
    assertThat(order.share(Set.of(4))).containsExactly(4);
    assertThat(order.share(Set.of(4))).as("it was not found out").containsExactly(4);
    order.add(4, Optional.empty());
    assertThat(order.share(Set.of(4))).isEmpty();
    assertThat(order.share(Set.of(5))).containsExactly(5);
    assertThat(order.next(INTERVAL)).as("4 is another's now").isEmpty();
    assertThat(order.share(Set.of(4, 5))).containsExactlyInAnyOrder(4, 5);
  }

  private void add(int partition, Optional<Duration> ago) {
    order.add(partition, ago);
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }
}
