package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartedCellSinkTest {
  @Test
  void what_a_start_has_begun_ends_where_it_fails() {
    var config =
        new CellSinkConfig(
            Map.of(
                "topology",
                TwoClusters.UNREACHABLE,
                "mysql.user",
                "nobody",
                "kafka.bootstrap.servers",
                "127.0.0.1:1"));
    // After its servers were looked at, all of which are down, it has nowhere to show metrics.
    var context = new PausingContext();
    assertThatThrownBy(() -> StartedCellSink.start(config, context))
        .isInstanceOf(UnsupportedOperationException.class);
    await().atMost(Duration.ofSeconds(20)).until(() -> threads() == 0);
  }

  /** Threads that look at servers; without work they would wait a minute for some. */
  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("cellmesh-sink-check"))
        .count();
  }
}
