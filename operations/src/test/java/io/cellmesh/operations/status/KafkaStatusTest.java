package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.deployment.Deployment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The line that {@code cellmesh status} gives a data centre's Kafka. */
class KafkaStatusTest {
  @TempDir private Path dir;

  @Test
  void one_that_nobody_listens_for_is_down_long_before_a_busy_one_would_be() throws Exception {
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    var deployment = deployment("127.0.0.1:" + port);
    long start = System.nanoTime();

    try (var kafka = new KafkaStatus(deployment)) {
      assertThat(kafka.brokers(deployment.datacenters().get(0)))
          .isEqualTo(new Part("dc1", "kafka", "127.0.0.1:" + port, false, "does not answer"));
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(12));
  }

  @Test
  void one_whose_name_can_not_be_resolved_any_more_is_down_and_the_rest_is_told() throws Exception {
    var deployment = deployment("brokers.invalid:9092, others.invalid:9092");

    try (var kafka = new KafkaStatus(deployment)) {
      var part = kafka.brokers(deployment.datacenters().get(0));
      assertThat(part.up()).isFalse();
      assertThat(part.detail()).isEqualTo("does not answer");
      assertThat(kafka.triggers(deployment.datacenters().get(0))).isEmpty();
    }
  }

  private Deployment deployment(String bootstrap) throws Exception {
    Files.writeString(
        dir.resolve("topology.yaml"),
        """
        instance: trips
        shards: 2
        partitions: 2
        datacenter: dc1
        clusters:
          - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://127.0.0.1:3306"}}
        """);
    var file =
        Files.writeString(
            dir.resolve("cellmesh.yaml"),
            """
            instance: trips
            datacenters:
              - {name: dc1, topology: topology.yaml, kafka: {bootstrap: "%s"}}
            """
                .formatted(bootstrap));
    return Deployment.read(file);
  }
}
