package io.cellmesh.worker.load;

import static io.cellmesh.worker.Patience.await;

import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RecurringLookTest {
  @Test
  void whatever_a_look_throws_the_next_one_comes() {
    var looks = new AtomicInteger();
    var timer = Executors.newSingleThreadScheduledExecutor();
    try {
      var look =
          new RecurringLook(
              "a test",
              () -> {
                if (looks.incrementAndGet() % 2 == 1) {
                  throw new OutOfMemoryError("of a test");
                }
                throw new Exception("of a test");
              });
      timer.scheduleWithFixedDelay(look, 0, 1, TimeUnit.MILLISECONDS);
      await().until(() -> looks.get() > 4);
    } finally {
      timer.shutdownNow();
    }
  }
}
