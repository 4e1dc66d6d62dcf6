package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexLagTest {
  @TempDir private Path dir;

  @Test
  void of_an_index_whose_kafka_can_not_be_asked_nobody_says_that_it_is_not_behind()
      throws Exception {
    try (var refusing = new RefusingKafka();
        var lag = new IndexLag(refusing.deployment(dir).datacenters().get(0))) {
      assertThat(lag.toRead("p1")).isEmpty();
    }
  }
}
