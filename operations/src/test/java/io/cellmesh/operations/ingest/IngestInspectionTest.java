package io.cellmesh.operations.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.operations.mesh.BareDataCenter;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.RecordDigest;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** Whether the record before a position is the one that was read, and what is asked first. */
class IngestInspectionTest {
  private static final TopicPartition AT = new TopicPartition("trips.cells", 3);
  private static final byte[] KEY = {1};
  private static final byte[] VALUE = {2};
  private static final MySqlOptions IMPATIENT =
      new MySqlOptions(
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          2);

  private final MockConsumer<byte[], byte[]> client = new MockConsumer<>("none");

  @Test
  void a_record_is_known_by_its_digest() {
    shows(41);

    assertThat(digest()).hasValue(RecordDigest.of(KEY, VALUE));
  }

  @Test
  void one_is_gone_where_a_later_one_comes_in_its_place() {
    shows(43);

    assertThat(digest()).isEmpty();
  }

  @Test
  void one_that_a_slow_broker_does_not_show_is_not_taken_for_gone() {
    assertThatThrownBy(this::digest)
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("record 41 of trips.cells-3");
  }

  @Test
  void masters_that_are_silent_are_waited_for_before_any_is_judged() {
    var topology =
        TopologyYaml.parse(
            """
            instance: trips
            shards: 4
            partitions: 2
            datacenter: dc1
            clusters:
              - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://127.0.0.1:1", domain: r1}}
              - {name: c2, shards: 2-3, epoch: 1, master: {url: "mysql://127.0.0.1:2", domain: r2}}
            """);
    var nobody = new Credentials("nobody", "");
    var access =
        new FixedAccess(
            "the test",
            Optional.empty(),
            Optional.empty(),
            () -> nobody,
            Optional.empty(),
            Optional.empty());
    var dc = BareDataCenter.of("dc1", topology, "nowhere:1").with(access);

    try (var nodes = new Nodes(new Pools(nobody, IMPATIENT))) {
      // To read topics would come next.
      assertThatThrownBy(() -> new IngestInspection(dc, nodes).run())
          .isInstanceOf(DeploymentException.class)
          .hasMessageContaining("Kafka");
      assertThat(topology.clusters()).noneMatch(cluster -> nodes.healthy(cluster.master()));
    }
  }

  private OptionalLong digest() {
    return IngestInspection.digest(client, AT, 41, Duration.ofMillis(50));
  }

  private void shows(long offset) {
    client.schedulePollTask(
        () ->
            client.addRecord(new ConsumerRecord<>(AT.topic(), AT.partition(), offset, KEY, VALUE)));
  }
}
