package io.cellmesh.worker.load;

import static io.cellmesh.worker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

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

  @Test
  void what_each_look_meets_is_said_once_and_again_after_one_that_met_nothing() {
    var logger = (Logger) LoggerFactory.getLogger(RecurringLook.class);
    var said = new ListAppender<ILoggingEvent>();
    said.start();
    logger.addAppender(said);
    logger.setAdditive(false);
    logger.setLevel(Level.INFO);
    try {
      var failure = new AtomicReference<>("");
      var look =
          new RecurringLook(
              "a test",
              () -> {
                if (!failure.get().isEmpty()) {
                  throw new IllegalStateException(failure.get());
                }
              });
      for (var next : "one one two two - two".split(" ")) {
        failure.set(next.replace("-", ""));
        look.run();
      }
    } finally {
      logger.detachAppender(said);
      logger.setAdditive(true);
      logger.setLevel(null);
    }

    assertThat(said.list)
        .extracting(event -> event.getThrowableProxy().getMessage())
        .containsExactly("one", "two", "two");
  }
}
