package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.mesh.BareDataCenter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

  @Test
  void one_that_is_no_address_is_told_as_such_and_the_rest_as_well() throws Exception {
    var deployment = deployment("127.0.0.1:99999");

    try (var kafka = new KafkaStatus(deployment)) {
      var part = kafka.brokers(deployment.datacenters().get(0));
      assertThat(part.up()).isFalse();
      assertThat(part.detail()).contains("Invalid port").contains("127.0.0.1:99999");
    }
  }

  @Test
  void one_that_answers_and_refuses_is_not_said_to_be_away() throws Exception {
    try (var refusing = new RefusingKafka()) {
      var deployment = refusing.deployment(dir);

      try (var kafka = new KafkaStatus(deployment)) {
        var part = kafka.brokers(deployment.datacenters().get(0));
        assertThat(part.up()).isFalse();
        assertThat(part.detail()).isEqualTo("SSL handshake failed");
      }
    }
  }

  /** What it has read stands where its cells arrive. */
  @Test
  void a_link_over_http_is_not_looked_for_at_its_peer() throws Exception {
    for (var dc : List.of("dc1", "dc2")) {
      Files.writeString(
          dir.resolve(dc + ".yaml"), TopologyYaml.write(BareDataCenter.nowhere(dc).topology()));
    }
    var file =
        Files.writeString(
            dir.resolve("cellmesh.yaml"),
            """
            instance: trips
            datacenters:
              - name: dc1
                topology: dc1.yaml
                kafka: {bootstrap: "127.0.0.1:1"}
                mesh: {peers: {dc2: {transport: http, url: "http://127.0.0.1:1"}}}
              - {name: dc2, topology: dc2.yaml}
            """);
    var deployment = Deployment.read(file);

    try (var kafka = new KafkaStatus(deployment)) {
      var dc1 = deployment.datacenter(Optional.of("dc1"));
      assertThat(kafka.applications(dc1, List.of()))
          .extracting(Part::detail)
          .containsExactly("not known, for dc1's Kafka is down");
    }
  }

  private Deployment deployment(String bootstrap) throws IOException {
    return OneDataCenter.with("kafka: {bootstrap: \"%s\"}".formatted(bootstrap), dir);
  }
}
