package io.cellmesh.operations.trigger;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.operations.mesh.BareDataCenter;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.ParkedRecord;
import io.cellmesh.topics.trigger.Reason;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.topics.trigger.StateRecord;
import io.cellmesh.topics.trigger.TriggerName;
import io.cellmesh.topics.trigger.TriggerPartition;
import io.cellmesh.topics.trigger.TriggerRegistry.Created;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * An instance of two shards and two partitions on a real broker, of which nothing is there but an
 * empty log. Each test has one of its own; the broker is the same for all of a JVM, with which it
 * ends.
 */
final class TriggerInstance {
  static final TriggerName NAME = new TriggerName("billing");
  static final Reason REASON = new Reason("java.io.IOException", "no way");
  static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MILLIS);

  private static DevStack stack;
  private static Admin admin;

  private final TriggerSite site;
  private long lastId;

  private TriggerInstance(TriggerSite site) {
    this.site = site;
  }

  private static synchronized DevStack stack() {
    if (stack == null) {
      stack =
          DevStack.start(
              Options.defaults()
                  .withDatacenters(1)
                  .withoutMySql()
                  .withWorkers(0)
                  .withBrokerSetting(
                      "transaction.abort.timed.out.transaction.cleanup.interval.ms", "500"),
              Progress.silent());
      admin = stack.broker("dc1").admin();
    }
    return stack;
  }

  /** Makes one of that name, which no other test may have. */
  static TriggerInstance create(String name) throws Exception {
    var topology =
        TopologyYaml.parse(
            """
            instance: %s
            shards: 2
            partitions: 2
            datacenter: dc1
            clusters:
              - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
            """
                .formatted(name));
    var bootstrap = stack().broker("dc1").bootstrap();
    // The others are missing, as in an instance that is older than triggers.
    admin.createTopics(List.of(new NewTopic(topology.topics().log(), 2, (short) 1))).all().get();
    return new TriggerInstance(new TriggerSite(BareDataCenter.of("dc1", topology, bootstrap)));
  }

  TriggerSite site() {
    return site;
  }

  Admin admin() {
    return admin;
  }

  /** Creates a trigger of all columns. */
  Created create(TriggerName name, Order order, Start start) throws InterruptedException {
    return new TriggerSetup(name, Optional.empty(), List.of(), order, start, false, (short) -1)
        .run(site);
  }

  /** What each partition knows of a trigger. */
  List<TriggerPartition> need(TriggerName name) throws InterruptedException {
    return site.need(name);
  }

  /** A row of a partition, which is that of its shard here. */
  UUID row(int partition, int number) {
    int found = 0;
    for (long i = 0; ; i++) {
      var row = new UUID(0x4000L, 0x8000000000000000L | i);
      if (site.partitionOf(row) == partition && found++ == number) {
        return row;
      }
    }
  }

  /** Logs records that are no cells, so that nothing but their headers says a column. */
  void log(int partition, String column, int count) throws Exception {
    var ids = LongStream.rangeClosed(lastId + 1, lastId + count).toArray();
    lastId += count;
    write(site.topics().log(), partition, column, ids);
  }

  /** Writes such records, of the shard of the partition's number. */
  void write(String topic, int partition, String column, long... addedIds) throws Exception {
    try (var producer = producer()) {
      for (var id : addedIds) {
        var record = new ProducerRecord<byte[], byte[]>(topic, partition, null, new byte[1]);
        record
            .headers()
            .add(Envelope.COLUMN_HEADER, column.getBytes())
            .add(Envelope.SHARD_HEADER, Integer.toString(partition).getBytes())
            .add(Envelope.ADDED_ID_HEADER, Long.toString(id).getBytes());
        producer.send(record).get();
      }
    }
  }

  /** Logs a cell that is so old. */
  void logAt(int partition, Instant at) throws Exception {
    var cell = cell(row(partition, 0), 1, at);
    send(
        new ProducerRecord<>(
            site.topics().log(),
            partition,
            at.toEpochMilli(),
            Envelope.key(cell.cell().key()),
            Envelope.write(cell)));
  }

  /**
   * Parks a cell of a row, after seven attempts.
   *
   * @return its offset
   */
  long park(TriggerName name, UUID row, long ref) throws Exception {
    var cell = cell(row, ref, NOW);
    var at = new TopicPartition(site.topics().log(), site.partitionOf(row));
    var log =
        new ConsumerRecord<>(
            at.topic(), at.partition(), ref, Envelope.key(cell.cell().key()), Envelope.write(cell));
    var why = new ParkedRecord(name, REASON, 7, NOW, NOW, at, ref);
    return send(why.of(site.topics().parked(), log));
  }

  /** Has the state topic say something. */
  void tell(int partition, StateRecord record) throws Exception {
    send(record.in(site.topics().triggerState(), partition));
  }

  /** Commits the places of a trigger in both partitions. */
  void commit(TriggerName name, long first, long second) throws Exception {
    var all = new HashMap<TopicPartition, OffsetAndMetadata>();
    all.put(new TopicPartition(site.topics().log(), 0), new OffsetAndMetadata(first));
    all.put(new TopicPartition(site.topics().log(), 1), new OffsetAndMetadata(second));
    admin.alterConsumerGroupOffsets(site.group(name), all).all().get();
  }

  /** Joins a trigger's group, and has its partitions. */
  KafkaConsumer<byte[], byte[]> member(TriggerName name) {
    var member =
        new KafkaConsumer<>(
            Map.<String, Object>of(
                "bootstrap.servers",
                stack().broker("dc1").bootstrap(),
                "group.id",
                site.group(name),
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    member.subscribe(List.of(site.topics().log()));
    while (member.assignment().isEmpty()) {
      member.poll(Duration.ofMillis(100));
    }
    return member;
  }

  /** Sends a record as it is. */
  long send(ProducerRecord<byte[], byte[]> record) throws Exception {
    try (var producer = producer()) {
      return producer.send(record).get().offset();
    }
  }

  /** A producer whose transactions Kafka ends after so long. */
  static KafkaProducer<byte[], byte[]> transaction(String id, int timeoutMs) {
    return producer(Map.of("transactional.id", id, "transaction.timeout.ms", timeoutMs));
  }

  private static KafkaProducer<byte[], byte[]> producer() {
    return producer(Map.of());
  }

  private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
    var config = new HashMap<>(settings);
    config.put("bootstrap.servers", stack().broker("dc1").bootstrap());
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static LogRecord cell(UUID row, long ref, Instant at) throws Exception {
    var key = new CellKey(row, "BASE", ref);
    return new LogRecord(
        new Cell(key, Body.ofJson("{}"), Optional.of(new Origin("dc1", ref))), 0, ref, at);
  }
}
