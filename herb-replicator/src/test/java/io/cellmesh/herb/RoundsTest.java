package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LONG = Duration.ofHours(1);

  private final AtomicInteger begun = new AtomicInteger();

  @Test
  void a_round_that_fails_with_whatever_is_followed_by_another() throws InterruptedException {
    var rounds =
        started(
            () -> {
              if (begun.incrementAndGet() == 1) {
                throw new OutOfMemoryError("no thread is left");
              }
              return LONG;
            });
    await().atMost(PATIENCE).until(() -> begun.get() == 2);
    end(rounds);
  }

  @Test
  void whoever_rests_ends_at_once() throws InterruptedException {
    var rounds =
        started(
            () -> {
              begun.incrementAndGet();
              return LONG;
            });
    await().atMost(PATIENCE).until(() -> begun.get() == 1);
    end(rounds);
    assertThat(begun).hasValue(1);
  }

  @Test
  void a_call_of_kafka_that_is_interrupted_is_no_failure() throws InterruptedException {
    var under = new CountDownLatch(1);
    var rounds =
        started(
            () -> {
              begun.incrementAndGet();
              under.countDown();
              try {
                Thread.sleep(LONG.toMillis());
              } catch (InterruptedException e) {
                throw new InterruptException(e);
              }
              return LONG;
            });
    under.await();
    end(rounds);
    assertThat(begun).hasValue(1);
  }

  @Test
  void who_is_told_to_end_before_the_start_begins_nothing() throws InterruptedException {
    var rounds =
        new Rounds(
            "test",
            () -> {
              begun.incrementAndGet();
              return LONG;
            });
    assertThat(rounds.awaitEnd(Duration.ZERO)).isTrue();
    rounds.end();
    rounds.start();
    assertThat(rounds.awaitEnd(PATIENCE)).isTrue();
    assertThat(begun).hasValue(0);
  }

  private static Rounds started(Rounds.Round round) {
    var rounds = new Rounds("test", round);
    rounds.start();
    return rounds;
  }

  private static void end(Rounds rounds) throws InterruptedException {
    assertThat(rounds.awaitEnd(Duration.ZERO)).isFalse();
    rounds.end();
    assertThat(rounds.awaitEnd(PATIENCE)).isTrue();
  }
}
