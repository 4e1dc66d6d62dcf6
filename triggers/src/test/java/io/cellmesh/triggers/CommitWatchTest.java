package io.cellmesh.triggers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.junit.jupiter.api.Test;

class CommitWatchTest {
  /** Near its end, as a clock of nanoseconds may be. */
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE);

  private final CommitWatch watch = new CommitWatch(Duration.ofSeconds(10), clock::get);

  @Test
  void a_process_that_can_not_commit_for_a_session_is_cut_off_until_it_can() {
    watch.begun();
    pass(10);
    watch.begun();
    assertThat(watch.cutOff()).isEmpty();

    pass(1);
    assertThat(watch.cutOff())
        .contains("nothing could be committed for 10 s: no commit was answered");

    watch.succeeded();
    assertThat(watch.cutOff()).isEmpty();
  }

  @Test
  void one_that_has_nothing_to_commit_is_not_cut_off() {
    watch.begun();
    watch.succeeded();
    pass(11);

    assertThat(watch.cutOff()).isEmpty();
  }

  @Test
  void what_kafka_answered_last_is_the_reason() {
    watch.begun();
    watch.failed(
        new RetriableCommitFailedException(
            new CoordinatorNotAvailableException("the coordinator is moving")));
    pass(11);

    assertThat(watch.cutOff().orElseThrow()).endsWith(": the coordinator is moving");
  }

  private void pass(int seconds) {
    clock.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }
}
