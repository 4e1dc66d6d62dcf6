package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParallelTest {
  @Test
  void all_are_asked_at_once_and_the_answers_are_in_the_order_of_the_items() {
    var all = new CyclicBarrier(3);

    var answers =
        Parallel.ask(
            List.of("a", "b", "c"),
            item -> {
              meet(all);
              return item + "!";
            });

    assertThat(answers).containsExactly("a!", "b!", "c!");
  }

  @Test
  void of_many_only_some_are_asked_at_once() {
    var now = new AtomicInteger();
    var most = new AtomicInteger();

    Parallel.ask(
        IntStream.range(0, 100).boxed().toList(),
        item -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
          return now.decrementAndGet();
        });

    assertThat(most.get()).isLessThanOrEqualTo(32);
  }

  @Test
  void what_a_question_throws_is_thrown() {
    assertThatThrownBy(
            () ->
                Parallel.ask(
                    List.of(1),
                    item -> {
                      throw new IllegalStateException("no");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no");
  }

  @Test
  void nobody_is_asked_where_there_is_nothing() {
    var answers = Parallel.ask(List.<String>of(), item -> item + "!");

    assertThat(answers).isEmpty();
  }

  private static void meet(CyclicBarrier all) {
    try {
      all.await(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
