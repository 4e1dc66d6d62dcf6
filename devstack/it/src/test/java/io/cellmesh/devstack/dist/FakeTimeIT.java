package io.cellmesh.devstack.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs libfaketime, or Debian's packages. */
class FakeTimeIT {
  @TempDir private Path dir;

  @Test
  void a_process_has_another_time_of_day() {
    var missing = FakeTime.missing();
    assumeTrue(missing.isEmpty(), missing.orElse(""));

    assertThat(seconds(Duration.ofMinutes(7)) - Instant.now().getEpochSecond())
        .isCloseTo(420, within(30L));
    assertThat(seconds(Duration.ofMinutes(-7)) - Instant.now().getEpochSecond())
        .isCloseTo(-420, within(30L));
  }

  private long seconds(Duration ahead) {
    var said = Command.run(dir, FakeTime.environment(ahead), List.of("date", "+%s"));
    return Long.parseLong(said.output().strip());
  }
}
