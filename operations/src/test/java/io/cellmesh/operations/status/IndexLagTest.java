package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexLagTest {
  @TempDir private Path dir;

  @Test
  void of_an_index_whose_kafka_can_not_be_asked_nobody_says_that_it_is_not_behind()
      throws Exception {
    try (var plain = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      var answers = new Thread(() -> KafkaStatusTest.answer(plain));
      answers.setDaemon(true);
      answers.start();
      // It refuses at once; one that is away is waited for.
      Files.writeString(dir.resolve("kafka.properties"), "security.protocol=SSL\n");
      var deployment =
          OneDataCenter.with(
              "kafka: {bootstrap: \"127.0.0.1:%d\", config: kafka.properties}"
                  .formatted(plain.getLocalPort()),
              dir);

      try (var lag = new IndexLag(deployment.datacenters().get(0))) {
        assertThat(lag.toRead("p1")).isEmpty();
      }
    }
  }
}
