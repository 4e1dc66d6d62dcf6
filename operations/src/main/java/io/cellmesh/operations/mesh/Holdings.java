package io.cellmesh.operations.mesh;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.proof.BucketCodec;
import io.cellmesh.cell.proof.BucketKey;
import io.cellmesh.cell.proof.FoldPlace;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.deployment.CheckpointTopic;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.IntToLongFunction;
import java.util.function.ToIntFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * What a data centre's topics have of the cells of an origin: of each shard the greatest origin_id,
 * and where a topic has all that comes behind an id. It knows that from what was folded for the
 * proof, and reads of the mesh topic what is not folded yet.
 */
final class Holdings {
  /** Of a shard of which there is nothing. */
  static final long NONE = -1;

  private final String origin;
  private final Shards shards;
  private final Map<FoldSource, Folded> folded = new EnumMap<>(FoldSource.class);
  private final Map<Integer, Long> last = new HashMap<>();
  private final IntToLongFunction floor;
  private long arrived;
  private long arrivedBeyond;

  /**
   * A stretch of a shard in a topic: a bucket.
   *
   * @param cells how many it has
   * @param beyond how many of them lie behind the shard's floor
   */
  private record Stretch(long last, long from, long offset, int cells, int beyond) {}

  /** What is known of one topic. */
  private static final class Folded {
    private final String id;
    private final List<Long> begins;
    private final Map<Integer, FoldPlace> places = new HashMap<>();
    private final Map<Integer, NavigableMap<Long, Stretch>> stretches = new HashMap<>();

    Folded(String id, List<Long> begins) {
      this.id = id;
      this.begins = List.copyOf(begins);
    }

    /** Whether what was folded of a partition is of the topic as it is now. */
    boolean knows(int partition) {
      var place = places.get(partition);
      return place != null && place.topic().equals(id);
    }
  }

  Holdings(String origin, Shards shards) {
    this(origin, shards, shard -> NONE);
  }

  /**
   * @param floor of each shard an origin_id; what lies behind it is counted
   */
  private Holdings(String origin, Shards shards, IntToLongFunction floor) {
    this.origin = origin;
    this.shards = shards;
    this.floor = floor;
  }

  /**
   * Reads what a data centre has told and what it has not folded yet: of others what came to its
   * mesh topic, and of its own cells what its log has.
   *
   * @throws KafkaException if a topic is missing, or Kafka does not answer
   */
  static Holdings read(DataCenter dc, String origin) throws InterruptedException {
    return read(dc, origin, shard -> NONE);
  }

  /**
   * The same.
   *
   * @param floor of each shard an origin_id; what lies behind it is counted by {@link #beyond}
   */
  static Holdings read(DataCenter dc, String origin, IntToLongFunction floor)
      throws InterruptedException {
    var holdings = new Holdings(origin, dc.topology().shards(), floor);
    try (var client = Consumers.open(dc.kafka());
        var checkpoints = new CheckpointTopic(dc.kafka(), dc.topology())) {
      for (var source : FoldSource.TOPICS) {
        var topic = topic(dc.topology().topics(), source);
        holdings.topic(source, id(dc, topic), TopicOffsets.of(client, topic).begin());
      }
      checkpoints.readToEnd(holdings::checkpoint);
      var first = dc.name().equals(origin) ? FoldSource.LOG : FoldSource.MESH;
      var offsets = TopicOffsets.of(client, topic(dc.topology().topics(), first));
      holdings.readUnfolded(first, new PartitionReader(client), offsets);
    }
    return holdings;
  }

  /** The topic of a source. */
  static String topic(Topics topics, FoldSource source) {
    return source == FoldSource.LOG ? topics.log() : topics.mesh();
  }

  /**
   * Takes note of a topic; before anything of it.
   *
   * @param id that Kafka has given it
   * @param begins its first offsets, by partition
   */
  void topic(FoldSource source, String id, List<Long> begins) {
    folded.put(source, new Folded(id, begins));
  }

  /** Takes in a record of {@code trips.checkpoint}. */
  void checkpoint(byte[] key, byte[] value) {
    var text = new String(key, StandardCharsets.UTF_8);
    FoldPlace.read(text, value)
        .ifPresent(place -> folded.get(place.source()).places.put(place.partition(), place));
    BucketKey.parse(text)
        .filter(named -> named.cells().origin().equals(origin))
        .ifPresent(named -> bucket(named, value));
  }

  private void bucket(BucketKey key, byte[] value) {
    var ofShard =
        folded
            .get(key.source())
            .stretches
            .computeIfAbsent(key.cells().shard(), shard -> new TreeMap<>());
    var bucket = value == null ? null : BucketCodec.read(key, value).orElse(null);
    if (bucket == null) {
      ofShard.remove(key.number());
    } else {
      ofShard.put(
          key.number(),
          new Stretch(
              bucket.last(),
              bucket.from(),
              bucket.firstOffset(),
              bucket.count(),
              bucket.countBeyond(floor.applyAsLong(key.cells().shard()))));
      seen(key.cells().shard(), bucket.last());
    }
  }

  /** Takes note of a cell. */
  void seen(int shard, long originId) {
    last.merge(shard, originId, Math::max);
  }

  /** The greatest origin_id of a shard; {@link #NONE} if there is no cell of it. */
  long last(int shard) {
    return last.getOrDefault(shard, NONE);
  }

  /** How many cells of the origin there are, as far as that is known. */
  long cells() {
    return arrived + most(Stretch::cells);
  }

  /** How many of them lie behind the floors of their shards. */
  long beyond() {
    return arrivedBeyond + most(Stretch::beyond);
  }

  /** A topic that has lost records may have been folded in part. */
  private long most(ToIntFunction<Stretch> count) {
    return folded.values().stream()
        .mapToLong(
            topic ->
                topic.stretches.values().stream()
                    .flatMap(ofShard -> ofShard.values().stream())
                    .mapToLong(count::applyAsInt)
                    .sum())
        .max()
        .orElse(0);
  }

  /**
   * Finds where to read what comes behind an id.
   *
   * @param after the id
   * @return an offset from which on the topic has every cell of the shard behind that id; empty if
   *     it may have lost some
   */
  OptionalLong start(FoldSource source, int shard, long after) {
    var topic = folded.get(source);
    int partition = shards.partitionOf(shard);
    long begin = topic.begins.get(partition);
    if (topic.knows(partition)) {
      long offset = offset(topic, shard, after);
      if (offset >= begin) {
        return OptionalLong.of(offset);
      }
    }
    // A topic that still has its first record has lost nothing.
    return begin == 0 ? OptionalLong.of(0) : OptionalLong.empty();
  }

  /** Where the first bucket begins that has cells behind an id; -1 if it was not folded wholly. */
  private long offset(Folded topic, int shard, long after) {
    var ofShard = topic.stretches.getOrDefault(shard, new TreeMap<>());
    var next = ofShard.values().stream().filter(stretch -> stretch.last() > after).findFirst();
    return next.isEmpty()
        ? topic.places.get(shards.partitionOf(shard)).next()
        : next.filter(stretch -> stretch.from() <= after + 1).map(Stretch::offset).orElse(NONE);
  }

  /** The offset from which on a topic is not folded. */
  private static long unfolded(Folded topic, int partition, TopicOffsets offsets) {
    return topic.knows(partition)
        ? Math.min(
            Math.max(topic.places.get(partition).next(), offsets.begin(partition)),
            offsets.end(partition))
        : offsets.begin(partition);
  }

  private void readUnfolded(FoldSource source, PartitionReader reader, TopicOffsets offsets) {
    try (var envelopes = EnvelopeReader.lenient()) {
      for (int partition = 0; partition < offsets.partitions(); partition++) {
        reader.read(
            offsets.partition(partition),
            unfolded(folded.get(source), partition, offsets),
            offsets.end(partition),
            record -> note(source, record, envelopes));
      }
    }
  }

  /** A record of a topic as a cell. */
  static Cell cell(
      FoldSource source, ConsumerRecord<byte[], byte[]> record, EnvelopeReader envelopes)
      throws InvalidCellException {
    return source == FoldSource.LOG
        ? envelopes.readLog(record.key(), record.value()).cell()
        : envelopes.readMeshCell(record.key(), record.value());
  }

  private void note(
      FoldSource source, ConsumerRecord<byte[], byte[]> record, EnvelopeReader envelopes) {
    if (!mayBeOf(record, origin)) {
      return;
    }
    try {
      var from = cell(source, record, envelopes).origin().orElseThrow();
      int shard = shards.of(record.key());
      if (from.datacenter().equals(origin) && from.id() > last(shard)) {
        seen(shard, from.id());
        arrived++;
        arrivedBeyond += from.id() > floor.applyAsLong(shard) ? 1 : 0;
      }
    } catch (InvalidCellException e) {
      // The sink refuses it, so it is no cell.
    }
  }

  /** By its header, which is never the only carrier. */
  static boolean mayBeOf(ConsumerRecord<byte[], byte[]> record, String origin) {
    var header = record.headers().lastHeader(Envelope.ORIGIN_HEADER);
    return header == null
        || header.value() == null
        || new String(header.value(), StandardCharsets.UTF_8).equals(origin);
  }

  private static String id(DataCenter dc, String topic) throws InterruptedException {
    try (var admin = Consumers.admin(dc.kafka())) {
      return admin
          .describeTopics(List.of(topic))
          .allTopicNames()
          .get()
          .get(topic)
          .topicId()
          .toString();
    } catch (ExecutionException e) {
      throw new KafkaException(topic + ": " + e.getCause().getMessage(), e.getCause());
    }
  }
}
