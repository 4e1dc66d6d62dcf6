package io.cellmesh.herb;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellDigest;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.proof.BucketCodec;
import io.cellmesh.cell.proof.FoldPlace;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.PartitionFold;
import io.cellmesh.deployment.CheckpointTopic;
import io.cellmesh.deployment.KafkaAccess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Folds a topic of this data centre into {@code trips.checkpoint}, until its first failure.
 *
 * <p>Buckets, the place they are of and the group's offsets are one transaction, which Kafka
 * refuses to a process that has lost the partition. So after whatever end the next run counts
 * nothing twice and skips nothing. The committed offsets decide nothing, and may expire: they are
 * what Kafka holds a transaction against.
 */
final class FoldRun implements ProofWorker.Run, ConsumerRebalanceListener {
  private static final Duration POLL = Duration.ofMillis(500);

  /** How long it reads on in a turn, while there is more. */
  private static final long TURN_NANOS = Duration.ofSeconds(2).toNanos();

  /** While nothing comes; joining the group goes on with each turn. */
  private static final Duration REST = Duration.ofMillis(500);

  private static final Duration JOINING = Duration.ofMillis(100);
  private static final int TIMEOUT_MS = KafkaAccess.ANSWER_MS;

  /** What is changed is told at most so often, and at least so often that it is known to live. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private static final Duration SILENCE = Duration.ofSeconds(10);

  /** Buckets a second, on average: each is some 1,900 bytes. */
  private static final long BUCKETS_PER_SECOND = 500;

  /** What it holds at most while there is much to tell, of which a process may have many. */
  private static final long BUFFER_BYTES = 2 << 20;

  private final FoldSource source;
  private final Topology topology;
  private final KafkaAccess here;
  private final FoldFigures figures;
  private final String topic;
  private final String topicId;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final KafkaProducer<byte[], byte[]> producer;
  private final EnvelopeReader envelopes = EnvelopeReader.passing();
  private final CellDigest digests = new CellDigest();
  private final Map<Integer, Folding> foldings = new HashMap<>();
  private boolean begun;
  private long publishedAt = System.nanoTime() - SILENCE.toNanos();

  /** A partition that is folded here. */
  private static final class Folding {
    private final PartitionFold fold;
    private final Set<String> outdated;

    /** The offset behind the last record, when it was begun or had lost records last. */
    private long end;

    private long damaged;

    Folding(FoldedPartition.Begin begin, long end) {
      this.end = end;
      this.fold = begin.fold();
      this.damaged = begin.damaged();
      this.outdated = new HashSet<>(begin.outdated());
    }
  }

  /**
   * Opens it.
   *
   * @throws KafkaException if Kafka does not answer, or has not the topic or the checkpoints
   */
  FoldRun(FoldSource source, Topology topology, KafkaAccess here, FoldFigures figures)
      throws InterruptedException {
    this.source = source;
    this.topology = topology;
    this.here = here;
    this.figures = figures;
    var topics = topology.topics();
    this.topic = source == FoldSource.LOG ? topics.log() : topics.mesh();
    this.topicId = topicId();
    // Before a group is joined for nothing, all that is needed must be there.
    new CheckpointTopic(here, topology).close();
    var group = InstanceNames.proofGroup(topology.instance(), source.text());
    try (var opened = new Opened()) {
      this.consumer = opened.add(consumer(here, group));
      this.producer = opened.add(producer(here, group));
      opened.handedOver();
    }
  }

  private String topicId() throws InterruptedException {
    try (var admin = KafkaAnswer.admin(here)) {
      return KafkaAnswer.of(
              admin.describeTopics(List.of(topic)).topicNameValues().get(topic), topic, here)
          .topicId()
          .toString();
    }
  }

  @Override
  public Duration turn() {
    if (!begun) {
      producer.initTransactions();
      consumer.subscribe(List.of(topic), this);
      begun = true;
    }
    long since = System.nanoTime();
    boolean more = true;
    while (more && System.nanoTime() - since < TURN_NANOS) {
      long behind = behind();
      figures.behind(behind);
      // With nothing to wait for, it costs no thread: the group's own answers the brokers.
      more = foldWhatComes(behind > 0 ? POLL : Duration.ZERO);
      publish(false);
    }
    if (more) {
      return Duration.ZERO;
    }
    return isRunning() ? REST : JOINING;
  }

  /** Returns whether anything came, or may come now. */
  private boolean foldWhatComes(Duration within) {
    ConsumerRecords<byte[], byte[]> records;
    try {
      records = poll(within);
    } catch (OffsetOutOfRangeException e) {
      leaveOutExpired(e);
      return true;
    }
    for (var record : records) {
      fold(record);
    }
    return !records.isEmpty();
  }

  /**
   * Goes on behind what expired. To begin anew would take longer than retention may leave what
   * comes meanwhile, and no partition would ever be folded again.
   *
   * @throws OffsetOutOfRangeException if a partition has lost its end: it is another one
   */
  private void leaveOutExpired(OffsetOutOfRangeException expired) {
    var lost = expired.offsetOutOfRangePartitions();
    var begins = consumer.beginningOffsets(lost.keySet());
    var ends = consumer.endOffsets(lost.keySet());
    for (var at : lost.keySet()) {
      long next = lost.get(at);
      long begin = begins.get(at);
      if (begin <= next) {
        throw expired;
      }
      var folding = foldings.get(at.partition());
      FoldedPartition.cut(folding.fold, source, at.partition(), next, begin);
      folding.end = ends.get(at);
      figures.cut();
      consumer.seek(at, begin);
    }
  }

  @Override
  public boolean isRunning() {
    return !foldings.isEmpty();
  }

  @Override
  public void settle() {
    publish(true);
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
    if (assigned.isEmpty()) {
      return;
    }
    // Waits for transactions of whoever had them before.
    consumer.committed(Set.copyOf(assigned));
    var stored = stored(assigned);
    var begins = consumer.beginningOffsets(assigned);
    var ends = consumer.endOffsets(assigned);
    for (var at : assigned) {
      var begin = stored.get(at.partition()).begin(topicId, begins.get(at), ends.get(at));
      if (begin.cut()) {
        figures.cut();
      }
      foldings.put(at.partition(), new Folding(begin, ends.get(at)));
      consumer.seek(at, begin.next());
    }
  }

  private Map<Integer, FoldedPartition> stored(Collection<TopicPartition> assigned) {
    var stored = new HashMap<Integer, FoldedPartition>();
    assigned.forEach(at -> stored.put(at.partition(), new FoldedPartition(source, at.partition())));
    try (var checkpoints = new CheckpointTopic(here, topology, stored.keySet())) {
      checkpoints.readToEnd(
          record -> stored.get(record.partition()).stored(record.key(), record.value()));
    }
    return stored;
  }

  /** What was not told is folded again by whoever has them next. */
  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
    revoked.forEach(at -> foldings.remove(at.partition()));
  }

  @Override
  public void close() {
    // One that isn't closed keeps its partitions from whoever comes next.
    try (digests;
        envelopes;
        consumer) {
      producer.close(Duration.ofMillis(TIMEOUT_MS));
    }
  }

  /** What fails while a partition is taken over comes wrapped in what says nothing. */
  private ConsumerRecords<byte[], byte[]> poll(Duration within) {
    try {
      return consumer.poll(within);
    } catch (KafkaException e) {
      throw e.getCause() instanceof KafkaException cause ? cause : e;
    }
  }

  private void fold(ConsumerRecord<byte[], byte[]> record) {
    var folding = foldings.get(record.partition());
    try {
      var cell = cell(record);
      int shard = topology.shards().of(record.key());
      if (topology.shards().partitionOf(shard) != record.partition()) {
        throw InvalidCellException.of("record", "it lies in the wrong partition");
      }
      folding.fold.fold(
          cell.origin().orElseThrow(),
          shard,
          digests.of(cell),
          record.offset(),
          record.timestamp());
      figures.folded();
    } catch (InvalidCellException e) {
      // A link and the sink set such a record aside and say why.
      folding.damaged++;
      figures.damaged();
    }
  }

  private Cell cell(ConsumerRecord<byte[], byte[]> record) throws InvalidCellException {
    return source == FoldSource.LOG
        ? envelopes.readLog(record.key(), record.value()).cell()
        : envelopes.readMeshCell(record.key(), record.value());
  }

  private void publish(boolean now) {
    int changes = foldings.values().stream().mapToInt(folding -> folding.fold.changes()).sum();
    if (foldings.isEmpty() || !now && System.nanoTime() - publishedAt < pause(changes).toNanos()) {
      return;
    }
    var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
    producer.beginTransaction();
    for (var folding : foldings.entrySet()) {
      var at = new TopicPartition(topic, folding.getKey());
      long next = consumer.position(at);
      long lag = lag(at, folding.getValue());
      offsets.put(at, new OffsetAndMetadata(next));
      publish(folding.getKey(), folding.getValue(), next, next + lag);
    }
    producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
    producer.commitTransaction();
    foldings.values().forEach(folding -> folding.outdated.clear());
    publishedAt = System.nanoTime();
  }

  private static Duration pause(int changes) {
    var written = Duration.ofSeconds(changes).dividedBy(BUCKETS_PER_SECOND);
    return changes == 0 ? SILENCE : written.compareTo(PAUSE) > 0 ? written : PAUSE;
  }

  /** Records of all its partitions that are not folded. */
  private long behind() {
    return foldings.entrySet().stream()
        .mapToLong(folding -> lag(new TopicPartition(topic, folding.getKey()), folding.getValue()))
        .sum();
  }

  /**
   * Returns how many records come behind its position. Before a poll is answered there, the
   * consumer knows nothing of it, or what it knew before records were lost: less than nothing.
   */
  private long lag(TopicPartition at, Folding folding) {
    long known = folding.end - consumer.position(at);
    return Math.max(0, Math.max(known, consumer.currentLag(at).orElse(0)));
  }

  private void publish(int partition, Folding folding, long next, long end) {
    var changed = folding.fold.takeChanged();
    changed.forEach(
        (key, bucket) -> {
          folding.outdated.remove(key.text());
          send(partition, key.text(), BucketCodec.write(bucket));
        });
    folding.outdated.forEach(key -> send(partition, key, null));
    var place =
        new FoldPlace(
            source,
            partition,
            topicId,
            next,
            end,
            folding.fold.whole(),
            folding.fold.cutAt(),
            folding.fold.cutTo(),
            folding.damaged,
            System.currentTimeMillis());
    send(partition, place.key(), place.value());
  }

  /** The transaction fails if one of them does. */
  private void send(int partition, String key, byte[] value) {
    producer.send(
        new ProducerRecord<>(
            topology.topics().checkpoint(),
            partition,
            key.getBytes(StandardCharsets.UTF_8),
            value));
  }

  private static KafkaConsumer<byte[], byte[]> consumer(KafkaAccess here, String group) {
    var settings = here.reader();
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static KafkaProducer<byte[], byte[]> producer(KafkaAccess here, String group) {
    var settings = here.quiet();
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, group + "-" + UUID.randomUUID());
    settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TIMEOUT_MS);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, TIMEOUT_MS);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 2);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
