package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.storage.NodeUnavailableException.Why;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BreakerTest {
  private final ScheduledExecutorService probes = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void end() {
    probes.shutdownNow();
  }

  @Test
  void a_probe_that_ends_with_an_error_is_not_the_last_one() {
    var probed = new AtomicInteger();
    var breaker =
        new Breaker(
            "db1:3306",
            "answers",
            Why.GONE,
            () -> {
              if (probed.incrementAndGet() == 1) {
                throw new LinkageError("the first time");
              }
              return true;
            },
            probes);
    breaker.suspect();
    assertThat(breaker.closed()).isFalse();
    await().atMost(Duration.ofSeconds(20)).until(breaker::closed);
  }
}
