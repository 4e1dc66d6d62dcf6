package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogGeneration;
import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.GroupLag;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands do with links and data centres, on real brokers. */
class MeshOperationsIT {
  private static final TopicPartition FIRST = new TopicPartition("trips.log", 0);
  private static final TopicPartition SECOND = new TopicPartition("trips.log", 1);
  private static final String GROUP = "trips-herb-dc1";
  private static final Shards SHARDS = new Shards(2, 2);

  @TempDir private static Path dir;

  private static DevStack stack;

  @BeforeAll
  static void start() throws Exception {
    stack =
        DevStack.start(
            Options.defaults().withStateDir(dir).withDatacenters(3).withoutMySql().withWorkers(0),
            Progress.silent());
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void aHaltedLinkIsMovedBehindWhatIsLostAndToTheBeginningOfAnotherLog() throws Exception {
    var here = datacenter("dc1", "trips");
    var peer = datacenter("dc2", "trips");
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

  @Test
  void a_link_whose_place_went_with_a_log_that_was_made_again_waits_for_nobody() throws Exception {
    var here = datacenter("dc1", "remade");
    var peer = datacenter("dc2", "remade");
    var log = new TopicPartition("remade.log", 0);
    try (var admin = stack.broker("dc2").admin();
        var producer = producer("dc2")) {
      for (int i = 0; i < 10; i++) {
        producer.send(new ProducerRecord<>("remade.log", 0, null, new byte[1])).get();
      }
      remember("dc2", "remade.mesh-place", "dc2", "{}");
      var found = LinkPlace.of(here, peer).found();
      remember("dc1", "remade.mesh-place", "dc2", found.toJson());
      remember("dc1", "remade.mesh-place", "dc2:0", new MeshPlace(found, 4).toJson());
      admin.deleteRecords(Map.of(log, RecordsToDelete.beforeOffset(10))).all().get();
      assertThat(LinkPlace.of(here, peer).findings()).hasSize(1);

      assertThat(new RemadeLog(peer).tell()).hasValue(2);
      assertThat(LinkPlace.of(here, peer).findings()).isEmpty();
      assertThat(new RemadeLog(peer).tell()).hasValue(3);
      remember("dc1", "remade.mesh-place", LogGeneration.key("dc2"), "3");
      assertThat(LinkPlace.of(here, peer).findings()).as("it has begun to read that").hasSize(1);
    }
  }

  @Test
  void a_link_is_paused_once_and_goes_on_when_it_is_resumed() throws Exception {
    var holds = new LinkHolds(datacenter("dc1", "riders"));
    var first = holds.pause("dc2", "anna");
    assertThat(first.text()).startsWith("paused since ").endsWith(" by anna");
    assertThat(holds.pause("dc2", "bob")).isEqualTo(first);
    assertThat(holds.all()).isEqualTo(Map.of("dc2", first));
    assertThat(holds.resume("dc2")).contains(first);
    assertThat(holds.resume("dc2")).isEmpty();
  }

  @Test
  void where_the_topic_of_places_is_missing_it_is_made_as_one_that_keeps_what_it_holds()
      throws Exception {
    var topic = "older.mesh-place";
    var holds = new LinkHolds(datacenter("dc1", "older"));
    try (var admin = stack.broker("dc1").admin()) {
      admin.deleteTopics(List.of(topic)).all().get();
      holds.lift("dc2");
      assertThat(admin.listTopics().names().get()).as("nothing to forget").doesNotContain(topic);
      var paused = holds.pause("dc2", "anna");
      assertThat(holds.of("dc2")).contains(paused);
      var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
      var made = admin.describeConfigs(List.of(resource)).all().get().get(resource);
      assertThat(made.get("cleanup.policy").value()).isEqualTo("compact");
    }
  }

  @Test
  void what_only_some_have_of_a_lost_data_centre_comes_to_all_in_its_order_and_once()
      throws Exception {
    var dc1 = datacenter("dc1", "drivers");
    var dc3 = datacenter("dc3", "drivers");
    var cells = cells(600);
    send("dc1", "drivers.mesh", cells);
    send("dc3", "drivers.mesh", cells.subList(0, 100));
    send("dc3", "drivers.mesh", cells.subList(90, 100));
    var loss = new DataCenterLoss("dc2", List.of(dc1, dc3));
    assertThat(loss.findings())
        .contains(
            "dc3 lacks cells that dc1 has in 2 shards",
            "dc1 does not know how far dc2 has read its log: over HTTP, or after a week, that is"
                + " known in dc2 alone");
    assertThatThrownBy(() -> new DataCenterRemoval(loss).run(OperationListener.silent()))
        .hasMessageContaining("is not given up");

    assertThat(loss.run("anna", 0, OperationListener.silent())).isEmpty();
    assertThat(firstOccurrences("dc3")).isEqualTo(firstOccurrences("dc1")).hasSize(600);
    assertThat(loss.run("bob", 0, OperationListener.silent())).isEmpty();
    assertThat(count("dc3", "drivers.mesh")).isEqualTo(610);
    assertThat(count("dc1", "drivers.mesh")).isEqualTo(600);
    assertThatThrownBy(() -> new LinkHolds(dc3).resume("dc2"))
        .hasMessageMatching("dc2 is given up as lost since .* by anna in dc3; .*");

    remember("dc3", "drivers.mesh-place", "dc2:7");
    remember("dc3", "drivers.mesh-place", "dc20:7");
    assertThat(new LinkHolds(dc3).remembers("dc2")).isTrue();
    new DataCenterRemoval(loss).run(OperationListener.silent());
    assertThat(new LinkHolds(dc3).remembers("dc2")).isFalse();
    assertThat(new LinkHolds(dc3).remembers("dc20")).isTrue();
    assertThat(OriginReach.of(dc3, "dc2"))
        .as("ids that are taken")
        .extracting(OriginReach::last)
        .isEqualTo(OriginReach.of(dc1, "dc2").last());
    try (var client = Consumers.open(dc3.kafka())) {
      assertThat(new MeshPlaceTopic(dc3).read(client)).containsOnlyKeys("dc2:hold", "dc20:7");
    }
  }

  @Test
  void of_two_that_are_gone_at_once_each_is_given_up_after_the_other() throws Exception {
    var dc1 = datacenter("dc1", "eaters");
    var nowhere = "broker.invalid:9092";
    var dc2 = BareDataCenter.of("dc2", topology("dc2", "eaters"), nowhere);
    var dc3 = BareDataCenter.of("dc3", topology("dc3", "eaters"), nowhere);
    var deployment = new Deployment("cellmesh.yaml", List.of(dc2, dc1, dc3));
    assertThatThrownBy(
            () -> DataCenterLoss.of(deployment, "dc3").run("anna", 0, OperationListener.silent()))
        .isInstanceOf(OperationException.class)
        .hasMessageStartingWith("dc2: Kafka at broker.invalid:9092: ");
    for (var lost : List.of("dc2", "dc3")) {
      var loss = DataCenterLoss.of(deployment, lost);
      assertThat(loss.survivors()).containsExactly(dc1);
      assertThat(loss.run("anna", 0, OperationListener.silent())).isEmpty();
      new DataCenterRemoval(loss).run(OperationListener.silent());
    }
  }

  /** Cells of dc2, whose ids rise in each shard. */
  private static List<Cell> cells(int count) throws Exception {
    var cells = new ArrayList<Cell>();
    for (int i = 0; i < count; i++) {
      var key = new CellKey(UUID.randomUUID(), "BASE", 1);
      cells.add(new Cell(key, Body.ofJson("{}"), Optional.of(new Origin("dc2", 3L * i + 1))));
    }
    return cells;
  }

  private static void send(String dc, String topic, List<Cell> cells) throws Exception {
    try (var producer = producer(dc)) {
      for (var cell : cells) {
        producer.send(
            new ProducerRecord<>(
                topic,
                SHARDS.partitionOf(SHARDS.of(cell.key().rowKey())),
                Envelope.key(cell.key()),
                Envelope.write(cell)));
      }
    }
  }

  /** What the mesh topic of drivers has, each record once, by partition and in their order. */
  private static List<String> firstOccurrences(String dc) {
    var values = new LinkedHashSet<String>();
    read(dc, record -> values.add(new String(record.value(), StandardCharsets.UTF_8)));
    return List.copyOf(values);
  }

  private static void read(String dc, Consumer<ConsumerRecord<byte[], byte[]>> consumer) {
    try (var client = Consumers.open(KafkaAccess.plain(stack.broker(dc).bootstrap()))) {
      var offsets = TopicOffsets.of(client, "drivers.mesh");
      new PartitionReader(client).read(offsets, consumer);
    }
  }

  private static long count(String dc, String topic) {
    try (var client = Consumers.open(KafkaAccess.plain(stack.broker(dc).bootstrap()))) {
      return TopicOffsets.of(client, topic).retained();
    }
  }

  private static void remember(String dc, String topic, String key) throws Exception {
    remember(dc, topic, key, "\1");
  }

  private static void remember(String dc, String topic, String key, String value) throws Exception {
    try (var producer = producer(dc)) {
      producer.send(new ProducerRecord<>(topic, 0, key.getBytes(), value.getBytes())).get();
    }
  }

  private DataCenter datacenter(String name, String instance) throws Exception {
    return BareDataCenter.withTopics(topology(name, instance), stack.broker(name));
  }

  private static Topology topology(String name, String instance) {
    return TopologyYaml.parse(
        """
        instance: %s
        shards: 2
        partitions: 2
        datacenter: %s
        clusters:
          - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
        """
            .formatted(instance, name));
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

  private static KafkaProducer<byte[], byte[]> producer(String dc) {
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
