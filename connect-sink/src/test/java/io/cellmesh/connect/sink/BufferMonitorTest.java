package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BufferMonitorTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @Test
  void short_looks_come_every_few_seconds() {
    assertThat(BufferMonitor.rest(SECOND / 100, 16, 8)).isEqualTo(5 * SECOND);
    assertThat(BufferMonitor.rest(SECOND / 100, 16, 0)).isEqualTo(5 * SECOND);
  }

  @Test
  void long_looks_take_a_twentieth_of_the_time_however_many_tasks_there_are() {
    assertThat(BufferMonitor.rest(SECOND, 16, 16)).isEqualTo(20 * SECOND);
    assertThat(BufferMonitor.rest(SECOND, 16, 2)).isEqualTo(8 * 20 * SECOND);
  }
}
