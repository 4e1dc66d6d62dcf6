package io.cellmesh.herb;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** An instance that is but topics in two data centres, of which dc1 takes the cells of dc2. */
class MeshInstance {
  static final Shards SHARDS = new Shards(64, 16);

  final Topics topics;
  private final DevStack stack;
  private final Map<Integer, Long> lastId = new TreeMap<>();

  MeshInstance(DevStack stack, String name) {
    this.stack = stack;
    this.topics = new Topics(name);
    for (var dc : List.of("dc1", "dc2")) {
      for (var topic : List.of(topics.mesh(), topics.log(), topics.rejected())) {
        create(dc, topic, SHARDS.partitions());
      }
    }
  }

  /** Starts the Kafka of two data centres, and nothing else. */
  static DevStack brokers(Path directory) throws Exception {
    return DevStack.start(
        Options.defaults().withStateDir(directory).withDatacenters(2).withoutMySql().withWorkers(0),
        Progress.silent());
  }

  /** A cell of the mesh topic. */
  record Arrived(int shard, long originId) {}

  /** Leaves one alone that is there. */
  final void create(String dc, String topic, int partitions) {
    try (var consumer = consumer(dc)) {
      if (consumer.listTopics().containsKey(topic)) {
        return;
      }
    }
    stack.broker(dc).create(new NewTopic(topic, partitions, (short) 1));
  }

  /** The shard map of a data centre. */
  String yaml(String dc) {
    return yaml(topics.instance(), SHARDS, dc);
  }

  /** That of dc1 of an instance trips, for who needs no more of it. */
  static Topology trips(Shards shards) {
    return TopologyYaml.parse(yaml("trips", shards, "dc1"));
  }

  private static String yaml(String instance, Shards shards, String dc) {
    return """
        instance: %s
        shards: %d
        partitions: %d
        datacenter: %s
        clusters:
          - {name: c1, shards: 0-%d, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
        """
        .formatted(instance, shards.count(), shards.partitions(), dc, shards.count() - 1);
  }

  final KafkaAccess kafka(String dc) {
    return KafkaAccess.plain(stack.broker(dc).bootstrap());
  }

  KafkaProducer<byte[], byte[]> producer() {
    return producer("dc2");
  }

  private KafkaProducer<byte[], byte[]> producer(String dc) {
    return new KafkaProducer<>(
        kafka(dc).client(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  final KafkaConsumer<byte[], byte[]> consumer(String dc) {
    return new KafkaConsumer<>(
        kafka(dc).client(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** The next cell of a new row, for dc2's log. */
  ProducerRecord<byte[], byte[]> log(String origin) throws Exception {
    var key = new CellKey(UUID.randomUUID(), "BASE", 1);
    int shard = SHARDS.of(key.rowKey());
    long id = lastId.merge(shard, 1L, Long::sum);
    var cell = new Cell(key, Body.ofJson("{\"n\":1.50}"), Optional.of(new Origin(origin, id)));
    return new ProducerRecord<>(
        topics.log(),
        SHARDS.partitionOf(shard),
        Envelope.key(key),
        Envelope.write(new LogRecord(cell, shard, id, Instant.EPOCH)));
  }

  /** One that dc2's log has cells of. */
  int shard() {
    return lastId.keySet().iterator().next();
  }

  /**
   * Puts a cell into dc1's mesh topic under the next id of a shard, of which dc2's log has another.
   */
  void forge(int shard) throws Exception {
    var row = UUID.randomUUID();
    while (SHARDS.of(row) != shard) {
      row = UUID.randomUUID();
    }
    var key = new CellKey(row, "BASE", 1);
    var origin = new Origin("dc2", lastId.get(shard) + 1);
    try (var producer = producer("dc1")) {
      producer.send(
          new ProducerRecord<>(
              topics.mesh(),
              SHARDS.partitionOf(shard),
              Envelope.key(key),
              Envelope.write(new Cell(key, Body.ofJson("{\"n\":2}"), Optional.of(origin)))));
    }
  }

  /** Retention takes all that dc2's log has. */
  void cut() throws Exception {
    cut(ends());
  }

  /** Retention takes what dc2's log has before some offsets, by partition. */
  void cut(Map<Integer, Long> before) throws Exception {
    try (var admin = stack.broker("dc2").admin()) {
      var all = new HashMap<TopicPartition, RecordsToDelete>();
      before.forEach(
          (partition, end) ->
              all.put(
                  new TopicPartition(topics.log(), partition), RecordsToDelete.beforeOffset(end)));
      admin.deleteRecords(all).all().get();
    }
  }

  /** As Kafka does with a group that was idle for a week. */
  void forget() throws Exception {
    try (var admin = stack.broker("dc2").admin()) {
      admin.deleteConsumerGroups(List.of(topics.instance() + "-herb-dc1")).all().get();
    }
  }

  /** The places of dc1's link that are kept in dc1. */
  Map<Integer, Long> places() {
    var places = new TreeMap<Integer, Long>();
    new MeshPlaces(kafka("dc1"), topics.meshPlace())
        .read()
        .forEach(
            (key, value) ->
                MeshPlace.parse(value)
                    .ifPresent(
                        place ->
                            places.put(
                                Integer.parseInt(key.substring("dc2:".length())), place.next())));
    return places;
  }

  /** The ends of dc2's log. */
  Map<Integer, Long> ends() {
    return ends("dc2", topics.log());
  }

  /** The ends of dc1's mesh topic. */
  Map<Integer, Long> meshEnds() {
    return ends("dc1", topics.mesh());
  }

  private Map<Integer, Long> ends(String dc, String topic) {
    var ends = new TreeMap<Integer, Long>();
    try (var consumer = consumer(dc)) {
      consumer.endOffsets(partitions(topic)).forEach((at, end) -> ends.put(at.partition(), end));
    }
    return ends;
  }

  /** The records that there ever were. */
  long count(String dc, String topic) {
    return ends(dc, topic).values().stream().mapToLong(Long::longValue).sum();
  }

  /** What dc1's mesh topic has. */
  List<Arrived> arrived() {
    var partitions = partitions(topics.mesh());
    var cells = new ArrayList<Arrived>();
    try (var consumer = consumer("dc1")) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long left = count("dc1", topics.mesh());
      while (left > 0) {
        for (var record : consumer.poll(Duration.ofSeconds(1))) {
          left--;
          int shard = SHARDS.of(record.key());
          assertThat(record.partition()).isEqualTo(SHARDS.partitionOf(shard));
          var json = new String(record.value(), StandardCharsets.UTF_8);
          assertThat(json).contains("\"origin\":\"dc2\"").doesNotContain("added_id");
          cells.add(
              new Arrived(
                  shard, Long.parseLong(json.replaceAll(".*\"origin_id\":(\\d+).*", "$1"))));
        }
      }
    }
    return cells;
  }

  /** The same without repetitions. */
  List<Arrived> distinct() {
    return arrived().stream().distinct().toList();
  }

  /**
   * Each time it starts again a link may go back to some earlier cell of a shard, and from wherever
   * it is it goes on without a gap.
   *
   * @param starts how often it started again, at most
   */
  void assertInOrder(int starts) {
    var byShard = arrived().stream().collect(groupingBy(Arrived::shard));
    byShard.forEach(
        (shard, arrived) -> {
          var ids = arrived.stream().map(Arrived::originId).toList();
          var inOrder = List.copyOf(new TreeSet<>(ids));
          int wentBack = 0;
          int next = 0;
          for (long id : ids) {
            int place = inOrder.indexOf(id);
            wentBack += place < next ? 1 : 0;
            assertThat(place).as("%d in shard %d: %s", id, shard, ids).isLessThanOrEqualTo(next);
            next = place + 1;
          }
          assertThat(wentBack)
              .as("how often shard %d went back: %s", shard, ids)
              .isLessThanOrEqualTo(starts);
        });
  }

  private static List<TopicPartition> partitions(String topic) {
    return IntStream.range(0, SHARDS.partitions())
        .mapToObj(p -> new TopicPartition(topic, p))
        .toList();
  }
}
