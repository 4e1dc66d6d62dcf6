package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.deployment.peer.PeerAwayException;
import io.cellmesh.herb.LinkHealth.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Parts of proofs that share their threads. */
class ProofWorkerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LONG = Duration.ofMinutes(10);

  private final SharedTurns turns = new SharedTurns();

  @AfterEach
  void close() {
    turns.close();
  }

  @Test
  void parts_that_rest_have_no_threads() throws InterruptedException {
    var workers = new ArrayList<ProofWorker>();
    for (int part = 0; part < 5; part++) {
      workers.add(begun(() -> new Turns(new AtomicInteger())));
    }
    await()
        .atMost(PATIENCE)
        .until(() -> workers.stream().allMatch(w -> w.state().state() == State.RUNNING));
    await().atMost(PATIENCE).until(() -> threads() == 0);
    for (var worker : workers) {
      worker.end();
      assertThat(worker.awaitEnd(PATIENCE)).isTrue();
    }
  }

  @Test
  void one_that_waits_delays_no_other() {
    var waits = new CountDownLatch(1);
    begun(
        () -> {
          waits.await();
          throw new KafkaException("no answer");
        });
    var other = begun(() -> new Turns(new AtomicInteger()));
    await().atMost(PATIENCE).until(() -> other.state().state() == State.RUNNING);
    waits.countDown();
  }

  @Test
  void what_fails_is_closed_and_told_and_begins_again() {
    var opened = new AtomicInteger();
    var closed = new AtomicInteger();
    var worker =
        begun(
            () -> {
              opened.incrementAndGet();
              return new Turns(closed) {
                @Override
                public Duration turn() {
                  throw opened.get() == 1
                      ? new KafkaException("no answer")
                      : new IllegalStateException("broken");
                }
              };
            });
    await().atMost(PATIENCE).until(() -> worker.state().state() == State.WAITING);
    assertThat(worker.state().why()).isEqualTo("no answer");
    await().atMost(PATIENCE).until(() -> worker.state().state() == State.RESTARTING);
    assertThat(worker.state().restarts()).isEqualTo(1);
    assertThat(closed.get()).isEqualTo(2);
  }

  @Test
  void whoever_does_not_answer_is_asked_again_soon_and_what_fails_begins_later_each_time() {
    for (var silence :
        List.of(
            new TimeoutException("no record came"),
            new KafkaException("no answer", new TimeoutException()),
            new KafkaException("no answer", new java.util.concurrent.TimeoutException()),
            new PeerAwayException("no answer"))) {
      assertThat(pauses(silence)).as("%s", silence).containsExactly(4L, 5L, 5L, 5L, 5L);
    }
    assertThat(pauses(new KafkaException("there is no topic")))
        .containsExactly(4L, 8L, 16L, 30L, 30L);
  }

  private static List<Long> pauses(Throwable failure) {
    var pauses = new ArrayList<Long>();
    var pause = Duration.ofSeconds(2);
    for (int i = 0; i < 5; i++) {
      pause = ProofWorker.longer(pause, failure);
      pauses.add(pause.toSeconds());
    }
    return pauses;
  }

  @Test
  void whoever_is_told_to_end_keeps_what_was_done_and_has_no_more_turns()
      throws InterruptedException {
    var settled = new AtomicBoolean();
    var closed = new AtomicInteger();
    var taken = new AtomicInteger();
    var worker =
        begun(
            () ->
                new Turns(closed) {
                  @Override
                  public Duration turn() {
                    taken.incrementAndGet();
                    return LONG;
                  }

                  @Override
                  public void settle() {
                    assertThat(closed.get()).isZero();
                    settled.set(true);
                  }
                });
    await().atMost(PATIENCE).until(() -> worker.state().state() == State.RUNNING);
    worker.end();
    assertThat(worker.awaitEnd(PATIENCE)).isTrue();
    assertThat(settled).isTrue();
    assertThat(closed.get()).isEqualTo(1);
    assertThat(taken.get()).isEqualTo(1);
  }

  @Test
  void one_that_never_began_has_ended() throws InterruptedException {
    var worker = new ProofWorker("part", () -> new Turns(new AtomicInteger()), turns);
    worker.end();
    assertThat(worker.awaitEnd(PATIENCE)).isTrue();
    assertThat(worker.state()).isEqualTo(ProofState.STARTING);
  }

  private ProofWorker begun(ProofWorker.Work work) {
    var worker = new ProofWorker("part", work, turns);
    worker.start();
    return worker;
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("shared-turn-"))
        .count();
  }

  /** Has one turn, and then rests for long. */
  private static class Turns implements ProofWorker.Run {
    private final AtomicInteger closed;

    Turns(AtomicInteger closed) {
      this.closed = closed;
    }

    @Override
    public Duration turn() {
      return LONG;
    }

    @Override
    public boolean isRunning() {
      return true;
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }
}
