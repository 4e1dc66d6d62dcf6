package io.cellmesh.worker.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topics;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

/** The offsets of a sink whose Kafka can't be asked. */
class CommittedTest {
  private static final long LATER = Duration.ofSeconds(1).toNanos();

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void whatever_keeps_it_from_asking_it_asks_again_later() {
    var committed =
        new Committed(
            () -> {
              if (asked.incrementAndGet() % 2 == 1) {
                throw new OutOfMemoryError("of a test");
              }
              throw new KafkaException("of a test");
            },
            new Topics("trips"),
            now::get);

    for (int i = 1; i <= 4; i++) {
      assertThat(committed.next()).isEmpty();
      assertThat(committed.next()).isEmpty();
      assertThat(asked).hasValue(i);
      now.addAndGet(LATER);
    }
  }
}
