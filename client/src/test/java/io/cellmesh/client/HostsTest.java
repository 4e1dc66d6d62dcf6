package io.cellmesh.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HostsTest {
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1000);
  private final List<CompletableFuture<Boolean>> probes = new ArrayList<>();
  private final Hosts hosts =
      new Hosts(
          List.of(URI.create("http://a"), URI.create("http://b"), URI.create("http://c")),
          host -> {
            probes.add(new CompletableFuture<>());
            return probes.get(probes.size() - 1);
          },
          clock::get,
          () -> 0.5);

  @Test
  void hosts_take_turns() {
    assertThat(List.of(next(), next(), next(), next())).containsExactly("b", "c", "a", "b");
  }

  @Test
  void a_retry_goes_to_one_that_was_not_tried() {
    var b = hosts.choose(Set.of(), Set.of());
    var c = hosts.choose(Set.of(b), Set.of());
    var a = hosts.choose(Set.of(b, c), Set.of());
    assertThat(Set.of(a, b, c)).hasSize(3);
    assertThat(hosts.choose(Set.of(a, b, c), Set.of(a, b))).isSameAs(c);
  }

  @Test
  void one_that_failed_is_asked_only_if_no_other_is_left() {
    var a = named("a");
    var b = named("b");
    var c = named("c");
    hosts.failed(b);
    assertThat(List.of(next(), next(), next(), next())).doesNotContain("b").contains("a", "c");
    hosts.failed(c);
    assertThat(List.of(next(), next(), next())).containsOnly("a");
    hosts.failed(a);
    assertThat(List.of(next(), next(), next())).containsExactlyInAnyOrder("a", "b", "c");
    hosts.answered(c, clock.get());
    assertThat(List.of(next(), next(), next())).containsOnly("c");
  }

  @Test
  void it_is_probed_when_its_time_has_come_by_one_at_a_time() {
    hosts.failed(hosts.choose(Set.of(), Set.of()));
    pass(Duration.ofMillis(374));
    next();
    assertThat(probes).isEmpty();
    pass(Duration.ofMillis(2));
    next();
    next();
    assertThat(probes).hasSize(1);

    probes.get(0).complete(true);
    assertThat(List.of(next(), next(), next())).contains("b");
  }

  @Test
  void one_that_stays_unwell_is_asked_less_and_less_often() {
    var host = hosts.choose(Set.of(), Set.of());
    hosts.failed(host);
    for (long wait : new long[] {375, 750, 1500, 3000, 6000, 7500, 7500, 7500}) {
      int before = probes.size();
      pass(Duration.ofMillis(wait - 1));
      next();
      assertThat(probes).hasSize(before);
      pass(Duration.ofMillis(2));
      next();
      assertThat(probes).hasSize(before + 1);
      if (before % 2 == 0) {
        probes.get(before).complete(false);
      } else {
        probes.get(before).completeExceptionally(new IllegalStateException());
      }
    }
  }

  @Test
  void calls_that_fail_together_count_once() {
    var host = hosts.choose(Set.of(), Set.of());
    for (int i = 0; i < 100; i++) {
      hosts.failed(host);
    }
    pass(Duration.ofMillis(376));
    next();
    assertThat(probes).hasSize(1);
  }

  private Host named(String name) {
    return Stream.generate(() -> hosts.choose(Set.of(), Set.of()))
        .filter(host -> host.url().getHost().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private String next() {
    return hosts.choose(Set.of(), Set.of()).url().getHost();
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  @Test
  void one_that_is_in_doubt_is_asked_at_most_twice_a_second_and_set_aside_if_it_says_no() {
    var b = named("b");
    hosts.doubted(b);
    hosts.doubted(b);
    assertThat(probes).hasSize(1);
    assertThat(List.of(next(), next(), next())).contains("b");
    probes.get(0).complete(true);
    hosts.doubted(b);
    assertThat(probes).hasSize(1);

    pass(Duration.ofMillis(501));
    hosts.doubted(b);
    probes.get(1).complete(false);
    assertThat(List.of(next(), next(), next())).doesNotContain("b");
  }

  @Test
  void an_answer_to_what_was_asked_before_it_failed_says_nothing() {
    var b = named("b");
    long asked = clock.get();
    pass(Duration.ofMillis(1));
    hosts.failed(b);
    hosts.answered(b, asked);
    assertThat(List.of(next(), next(), next())).doesNotContain("b");
    hosts.answered(b, clock.get());
    assertThat(List.of(next(), next(), next())).contains("b");
  }
}
