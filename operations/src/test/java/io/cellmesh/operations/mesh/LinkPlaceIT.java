package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.topics.GroupLag;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The place of dc1's link to dc2, on two real brokers. */
class LinkPlaceIT {
  private static final TopicPartition FIRST = new TopicPartition("trips.log", 0);
  private static final TopicPartition SECOND = new TopicPartition("trips.log", 1);
  private static final String GROUP = "trips-herb-dc1";

  @TempDir private Path dir;

  private DevStack stack;

  @Test
  void aHaltedLinkIsMovedBehindWhatIsLostAndToTheBeginningOfAnotherLog() throws Exception {
    var options =
        Options.defaults().withStateDir(dir).withDatacenters(2).withoutMySql().withWorkers(0);
    try (var started = DevStack.start(options, Progress.silent())) {
      stack = started;
      var here = datacenter("dc1");
      var peer = datacenter("dc2");
      try (var admin = stack.broker("dc2").admin()) {
        send(10);
        commit(admin, Map.of(FIRST, 4L, SECOND, 10L));
        assertThat(LinkPlace.of(here, peer).findings()).isEmpty();

        admin.deleteRecords(Map.of(FIRST, RecordsToDelete.beforeOffset(6))).all().get();
        var halted = LinkPlace.of(here, peer);
        assertThat(halted.findings())
            .containsExactly("trips.log-0: records 4 to 5 expired before they were read");
        try (var member = member()) {
          assertThatThrownBy(halted::accept)
              .as("while %s is one", member.groupMetadata().memberId())
              .isInstanceOf(OperationException.class)
              .hasMessageContaining("has members");
        }
        halted.accept();
        assertThat(committed(admin)).containsEntry(FIRST, 6L).containsEntry(SECOND, 10L);
        assertThat(LinkPlace.of(here, peer).findings()).isEmpty();

        // What herb-replicator remembers of a log that was there before.
        var another = LinkPlace.of(here, peer).found().toJson().replaceFirst("\"log\":\"", "$0x");
        remember("dc2", another);
        var remade = LinkPlace.of(here, peer);
        assertThat(remade.findings())
            .singleElement()
            .asString()
            .contains("trips.log of dc2 is another one than the link has read");
        remade.accept();
        assertThat(committed(admin)).containsEntry(FIRST, 6L).containsEntry(SECOND, 0L);
        assertThat(LinkPlace.of(here, peer).findings()).isEmpty();

        // A link that reads a seed in place of what is lost is not halted.
        admin.deleteRecords(Map.of(FIRST, RecordsToDelete.beforeOffset(8))).all().get();
        assertThat(LinkPlace.of(here, peer).findings()).hasSize(1);
        var seed = new MeshPlace(new RememberedLog("kafka-of-dc2", "seed"), 3);
        remember(MeshPlace.seedKey("dc2", 0), seed.toJson());
        var seeded = LinkPlace.of(here, peer);
        assertThat(seeded.findings()).isEmpty();
        assertThat(seeded.inSeed()).isEqualTo(Map.of(0, 3L));
      }
    }
  }

  private DataCenter datacenter(String name) throws Exception {
    var topology =
        TopologyYaml.parse(
            """
            instance: trips
            shards: 2
            partitions: 2
            datacenter: %s
            clusters:
              - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
            """
                .formatted(name));
    try (var admin = stack.broker(name).admin()) {
      new InstanceTopics(admin, topology.topics(), topology.shards(), (short) 1).create(List.of());
    }
    return new DataCenter(
        name,
        topology,
        TopologyStore.ofFile(Path.of("topology.yaml")),
        FixedAccess.plain(
            stack.broker(name).bootstrap(),
            URI.create("http://127.0.0.1:1"),
            new Credentials("root", "")));
  }

  private void send(int count) throws Exception {
    try (var producer = producer("dc2")) {
      for (int i = 0; i < count; i++) {
        producer.send(new ProducerRecord<>("trips.log", 0, null, new byte[1]));
        producer.send(new ProducerRecord<>("trips.log", 1, null, new byte[1]));
      }
    }
  }

  private void remember(String key, String value) throws Exception {
    try (var producer = producer("dc1")) {
      producer
          .send(new ProducerRecord<>("trips.mesh-place", 0, key.getBytes(), value.getBytes()))
          .get();
    }
  }

  private KafkaProducer<byte[], byte[]> producer(String dc) {
    return new KafkaProducer<>(
        Map.<String, Object>of("bootstrap.servers", stack.broker(dc).bootstrap()),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /** Somebody who is in the link's group. */
  private KafkaConsumer<byte[], byte[]> member() {
    var member =
        new KafkaConsumer<>(
            Map.<String, Object>of(
                "bootstrap.servers",
                stack.broker("dc2").bootstrap(),
                "group.id",
                GROUP,
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    member.subscribe(List.of("trips.log"));
    while (member.assignment().isEmpty()) {
      member.poll(Duration.ofMillis(100));
    }
    return member;
  }

  private static void commit(Admin admin, Map<TopicPartition, Long> offsets) throws Exception {
    var all = new HashMap<TopicPartition, OffsetAndMetadata>();
    offsets.forEach((at, offset) -> all.put(at, new OffsetAndMetadata(offset)));
    admin.alterConsumerGroupOffsets(GROUP, all).all().get();
  }

  private static Map<TopicPartition, Long> committed(Admin admin) throws Exception {
    var offsets = new HashMap<TopicPartition, Long>();
    GroupLag.committed(admin, GROUP).forEach((at, offset) -> offsets.put(at, offset.offset()));
    return offsets;
  }
}
