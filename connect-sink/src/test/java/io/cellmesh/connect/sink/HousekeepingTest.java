package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.connect.sink.Housekeeping.Job;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;

class HousekeepingTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final AtomicInteger reaped = new AtomicInteger();

  @Test
  void what_fails_now_is_done_again_and_keeps_nothing_else_from_being_done() {
    var failing =
        new Job(
            "counting",
            () -> {
              throw new SQLException("a buffer that is locked");
            });
    try (var housekeeping = new Housekeeping(List.of(failing, reaping()), "test")) {
      housekeeping.start(Duration.ofMillis(5));
      await().atMost(SOON).until(() -> reaped.get() > 3);
      assertThatCode(housekeeping::check).doesNotThrowAnyException();
    }
  }

  @Test
  void an_error_that_ends_it_fails_the_task_in_words() {
    var dying =
        new Job(
            "counting",
            () -> {
              throw new OutOfMemoryError("Java heap space");
            });
    try (var housekeeping = new Housekeeping(List.of(dying, reaping()), "test")) {
      housekeeping.start(Duration.ofMillis(5));
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThatThrownBy(housekeeping::check)
                      .isInstanceOf(ConnectException.class)
                      .hasMessageContaining("no copy would go any more")
                      .hasMessageContaining("Java heap space"));
    }
  }

  private Job reaping() {
    return new Job("reaping", reaped::incrementAndGet);
  }
}
