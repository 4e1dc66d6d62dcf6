package io.cellmesh.index;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.cell.index.IndexRow;
import io.cellmesh.cell.index.MisfitException;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.Pass;
import io.cellmesh.deployment.PassStore;
import io.cellmesh.deployment.PassTopic;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** An instance that is but topics of a broker, and files for index-streams. */
final class TestInstance implements AutoCloseable {
  static final Path APP =
      Path.of(System.getProperty("cellmesh.home")).resolve("index-streams/target/app");
  static final String MAIN = "io.cellmesh.index.IndexStreamsMain";
  static final List<String> FLAGS = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1");

  /** With the instance's name to fill in; none of its servers is asked. */
  static final String TOPOLOGY =
      """
      instance: %s
      shards: 64
      partitions: 16
      datacenter: dc1
      clusters:
        - {name: c1, shards: 0-63, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
      """;

  private static final AtomicInteger INSTANCES = new AtomicInteger();
  private static final int PARTITIONS = 16;
  private static final int ROWS = 150;
  private static final Shards SHARDS = new Shards(64, PARTITIONS);

  private final Path dir;
  private final DevStack stack;
  private final String name = "trips" + INSTANCES.incrementAndGet();
  private final Topics topics = new Topics(name);
  private final KafkaProducer<byte[], byte[]> producer;
  private final PassTopic passes;
  private final List<JavaApp> apps = new ArrayList<>();
  private final List<Cell> sent = new ArrayList<>();
  private final Random random = new Random(5);

  /**
   * Makes the topics of one more instance.
   *
   * @param stack which has a {@link #broker}
   * @param dir for the files of the processes
   */
  TestInstance(DevStack stack, Path dir) throws Exception {
    this.dir = dir;
    this.stack = stack;
    this.passes = new PassTopic(KafkaAccess.plain(bootstrap()), topics);
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    create(topics.log(), PARTITIONS);
    create(topics.unindexed(), 1);
    Files.writeString(dir.resolve("topology.yaml"), TOPOLOGY.formatted(name));
    passes.create();
  }

  /** Starts a broker, which serves any number of instances. */
  static DevStack broker(Path dir) {
    return DevStack.start(
        Options.defaults().withStateDir(dir).withDatacenters(1).withoutMySql().withWorkers(0),
        Progress.silent());
  }

  String name() {
    return name;
  }

  Topics topics() {
    return topics;
  }

  /** The consumer group of a pass, which is also the name of what it keeps on disk. */
  String group(String pass) {
    return name + "-index-" + pass;
  }

  String bootstrap() {
    return stack.broker("dc1").bootstrap();
  }

  Admin admin() {
    return stack.broker("dc1").admin();
  }

  /** Leaves whoever asks Kafka without an answer, until {@link #answer}. */
  void silence() {
    stack.broker("dc1").pause();
  }

  void answer() {
    stack.broker("dc1").resume();
  }

  /** What index-streams is to keep. */
  PassStore passes() {
    return passes;
  }

  Path state(String process) {
    return dir.resolve("state-" + process);
  }

  void create(String topic, int partitions) throws Exception {
    stack.broker("dc1").create(new NewTopic(topic, partitions, (short) 1));
  }

  /** Makes the topics of a pass and then says that there is one. */
  void add(String pass, List<IndexDefinition> definitions, boolean backfill) throws Exception {
    for (var definition : definitions) {
      create(topics.index(definition.label()), PARTITIONS);
    }
    if (backfill) {
      create(topics.indexBackfill(pass), PARTITIONS);
    }
    passes.put(new Pass(pass, definitions, backfill));
  }

  /** Writes into the topic of passes whatever it is. */
  void write(String pass, String value) throws Exception {
    producer
        .send(
            new ProducerRecord<>(
                topics.passes(),
                pass.getBytes(StandardCharsets.UTF_8),
                value.getBytes(StandardCharsets.UTF_8)))
        .get();
  }

  /** Somebody deletes the topic of passes by mistake. */
  void losePasses() throws Exception {
    try (var admin = admin()) {
      admin.deleteTopics(List.of(topics.passes())).all().get();
    }
  }

  /** Starts a process, whose state is its own. */
  JavaApp app(String process, String... more) {
    var app =
        stack.startApp(
            new JavaApp.Spec(
                name + "-" + process, APP, MAIN, arguments(process, more), Map.of(), FLAGS));
    apps.add(app);
    return app;
  }

  List<String> arguments(String process, String... more) {
    var arguments = new ArrayList<String>();
    arguments.addAll(List.of("--topology", dir.resolve("topology.yaml").toString()));
    arguments.addAll(List.of("--bootstrap", bootstrap()));
    arguments.addAll(List.of("--state-dir", state(process).toString()));
    arguments.addAll(List.of(more));
    return arguments;
  }

  static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  int sent() {
    return sent.size();
  }

  void send(int count) throws Exception {
    send(topics.log(), count);
  }

  void send(String topic, int count) throws Exception {
    send(topic, count, ProducerRecord::new);
  }

  /** As a client sends them that speaks the protocol by itself: Kafka's time for none is -1. */
  void sendWithoutTime(int count) throws Exception {
    send(topics.log(), count, Timeless::new);
  }

  private interface Form {
    ProducerRecord<byte[], byte[]> of(String topic, Integer partition, byte[] key, byte[] value);
  }

  private static final class Timeless extends ProducerRecord<byte[], byte[]> {
    Timeless(String topic, Integer partition, byte[] key, byte[] value) {
      super(topic, partition, key, value);
    }

    @Override
    public Long timestamp() {
      return -1L;
    }
  }

  /** Random cells of a few rows, about every third without a driver. */
  private void send(String topic, int count, Form form) throws Exception {
    var written = new ArrayList<Future<RecordMetadata>>();
    for (int i = 0; i < count; i++) {
      var row = new UUID(1, random.nextInt(ROWS));
      boolean base = random.nextBoolean();
      var key = new CellKey(row, base ? "BASE" : "STATUS", sent.size());
      var driver = List.of("null", "\"a\"", "\"b\"").get(random.nextInt(3));
      var body = base ? "{\"driver\":%s}".formatted(driver) : "{\"state\":\"s%d\"}".formatted(i);
      var cell = new Cell(key, Body.ofJson(body), Optional.of(new Origin("dc1", sent.size() + 1L)));
      sent.add(cell);
      int shard = SHARDS.of(row);
      written.add(
          producer.send(
              form.of(
                  topic,
                  SHARDS.partitionOf(shard),
                  Envelope.key(key),
                  Envelope.write(new LogRecord(cell, shard, sent.size(), Instant.EPOCH)))));
    }
    producer.flush();
    for (var record : written) {
      record.get();
    }
  }

  /** Overwrites the files that RocksDB keeps the rows of a pass in, as a bad disk does. */
  void damageFiles(String process) throws IOException {
    try (var files = Files.walk(state(process))) {
      for (var file : files.filter(f -> f.toString().endsWith(".sst")).toList()) {
        Files.write(file, new byte[100]);
      }
    }
  }

  /** Writes what is no state into the changelog of a pass, for each row. */
  void damageChangelog(String pass) throws Exception {
    for (int i = 0; i < ROWS; i++) {
      var row = new UUID(1, i);
      producer
          .send(
              new ProducerRecord<>(
                  changelog(pass),
                  SHARDS.partitionOf(SHARDS.of(row)),
                  IndexProcessor.stateKey(row).get(),
                  new byte[] {1, 2, 3}))
          .get();
    }
  }

  void deleteChangelog(String pass) throws Exception {
    try (var admin = admin()) {
      admin.deleteTopics(List.of(changelog(pass))).all().get();
    }
  }

  String changelog(String pass) {
    return group(pass) + "-rows-changelog";
  }

  /** Retention takes all that the log has. */
  void cut() throws Exception {
    try (var admin = admin();
        var consumer = consumer()) {
      var all = new HashMap<TopicPartition, RecordsToDelete>();
      consumer
          .endOffsets(partitions(topics.log()))
          .forEach((at, end) -> all.put(at, RecordsToDelete.beforeOffset(end)));
      admin.deleteRecords(all).all().get();
    }
  }

  /** As Kafka does with a group that was idle for a week. */
  void forget(String pass) throws Exception {
    try (var admin = admin()) {
      admin.deleteConsumerGroups(List.of(group(pass))).all().get();
    }
  }

  /** What the command does. */
  void accept(String pass) throws Exception {
    try (var admin = admin();
        var consumer = consumer()) {
      var begins = new HashMap<TopicPartition, OffsetAndMetadata>();
      consumer
          .beginningOffsets(partitions(topics.log()))
          .forEach((at, begin) -> begins.put(at, new OffsetAndMetadata(begin)));
      admin.alterConsumerGroupOffsets(group(pass), begins).all().get();
    }
  }

  /** Records in a topic with P partitions. */
  long count(String topic) {
    try (var consumer = consumer()) {
      return consumer.endOffsets(partitions(topic)).values().stream().mapToLong(o -> o).sum();
    }
  }

  /** What a table of the index holds that keeps to the guard; removals apart. */
  Map<String, IndexEntry> standing(IndexDefinition definition) throws MisfitException {
    var codec = new IndexEntryCodec(definition);
    var topic = partitions(topics.index(definition.label()));
    var table = new GuardedTable();
    try (var consumer = consumer()) {
      consumer.assign(topic);
      consumer.seekToBeginning(topic);
      long left = consumer.endOffsets(topic).values().stream().mapToLong(o -> o).sum();
      while (left > 0) {
        for (var record : consumer.poll(Duration.ofSeconds(1))) {
          left--;
          var entry = codec.read(record.key(), record.value());
          if (record.partition() != SHARDS.partitionOf(SHARDS.of(entry.shardValue()))) {
            throw new AssertionError("in the wrong partition: " + record.partition());
          }
          table.apply(entry);
        }
      }
    }
    return table.standing();
  }

  /** What the cells that were sent give. */
  Map<String, IndexEntry> expected(IndexDefinition definition) throws MisfitException {
    var rows = new HashMap<UUID, IndexRow>();
    for (var cell : sent) {
      var key = cell.key();
      var row = rows.getOrDefault(key.rowKey(), IndexRow.empty(definition, key.rowKey()));
      rows.put(key.rowKey(), row.apply(key.columnName(), key.refKey(), cell.body()).row());
    }
    var entries = new HashMap<String, IndexEntry>();
    rows.values()
        .forEach(r -> r.entry().ifPresent(e -> entries.put(e.shardValue() + '/' + e.rowKey(), e)));
    return entries;
  }

  /** Leaves its topics on the broker. */
  @Override
  public void close() {
    answer();
    apps.stream().filter(JavaApp::isAlive).forEach(JavaApp::kill);
    producer.close();
    passes.close();
  }

  private static List<TopicPartition> partitions(String topic) {
    var partitions = new ArrayList<TopicPartition>();
    for (int i = 0; i < PARTITIONS; i++) {
      partitions.add(new TopicPartition(topic, i));
    }
    return partitions;
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", bootstrap()),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
