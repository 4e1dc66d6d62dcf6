package io.cellmesh.connect.source;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeWriter;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes records of the log, each in the place of its shard, with the offset that Connect stores
 * with it. A column that has a topic of its own gets the same record there, right behind.
 */
final class LogWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);

  private static final int MOST_NAMES = 1000;

  private final Topology topology;
  private final ShardTopics shape;
  private final String[] topics;
  private final Map<String, String> triggers = new HashMap<>();
  private final Map<String, String> source;
  private final EnvelopeWriter envelopes = new EnvelopeWriter();
  private final byte[][] shards;
  private final Map<String, byte[]> names = new HashMap<>();

  /**
   * @param triggers the columns that have a topic of their own
   * @param source Connect's key for the offsets
   */
  LogWriter(
      Topology topology, ShardTopics shape, List<String> triggers, Map<String, String> source) {
    this.topology = topology;
    this.shape = shape;
    this.topics = shape.topics(topology);
    triggers.forEach(column -> this.triggers.put(column, topology.topics().trigger(column)));
    this.source = source;
    this.shards = new byte[topics.length][];
    for (int shard = 0; shard < shards.length; shard++) {
      shards[shard] = Integer.toString(shard).getBytes(StandardCharsets.UTF_8);
    }
  }

  /** A number that is the same for shards whose cells go to one partition. */
  int slot(int shard) {
    return shape == ShardTopics.TOPIC ? shard : topology.shards().partitionOf(shard);
  }

  /**
   * A cell's envelope.
   *
   * @throws ConnectException if the body can't be decoded, for whatever reason; the message names
   *     the cell and the way on, and never the body
   */
  byte[] value(LogRecord log) {
    try {
      return envelopes.write(log);
    } catch (RuntimeException e) {
      throw new ConnectException(
          """
          Can't decode the body of %s (shard %d, added_id %d): no sink has written it so. Compare \
          the row with the cluster's other servers; mend it on those where it is damaged, or \
          delete it there, then let `cellmesh log rebuild --cluster %s` read the tables and go on \
          behind it"""
              .formatted(
                  log.cell().key(),
                  log.shard(),
                  log.addedId(),
                  topology.clusterOf(log.shard()).name()),
          e);
    }
  }

  /** How many records a cell has. */
  int count(LogRecord log) {
    return !triggers.isEmpty() && triggers.containsKey(column(log)) ? 2 : 1;
  }

  /**
   * Adds the records of a cell: the log's, then that of its column's topic, if it has one. Only the
   * last one moves the offset, so that none is left out where a worker dies in between.
   *
   * @param rebuilt as {@link Rebuild#stamp} has it; empty for a cell from a binlog
   * @param value its envelope
   * @param before what Connect stores once Kafka has a record that is not the last
   * @param behind what it stores once it has them all
   */
  void addTo(
      List<SourceRecord> records,
      LogRecord log,
      Optional<String> rebuilt,
      byte[] value,
      Map<String, ?> before,
      Map<String, ?> behind) {
    int shard = log.shard();
    int partition = shape.partition(topology, shard);
    var trigger = triggers.isEmpty() ? null : triggers.get(column(log));
    if (trigger == null) {
      records.add(record(log, rebuilt, value, topics[shard], partition, behind));
      return;
    }
    records.add(record(log, rebuilt, value, topics[shard], partition, before));
    partition = topology.shards().partitionOf(shard);
    records.add(record(log, rebuilt, value, trigger, partition, behind));
  }

  private SourceRecord record(
      LogRecord log,
      Optional<String> rebuilt,
      byte[] value,
      String topic,
      int partition,
      Map<String, ?> offset) {
    return new SourceRecord(
        source,
        offset,
        topic,
        partition,
        Schema.BYTES_SCHEMA,
        Envelope.key(log.cell().key()),
        Schema.BYTES_SCHEMA,
        value,
        timestamp(log),
        headers(log, rebuilt));
  }

  /**
   * When the cell was created, by MySQL's clock; but no time that is still to come: a broker
   * refuses one that is over an hour ahead of its own clock, and would do so again until then. Nor
   * one before 1970, which no producer takes. Either would hold up the log of the cluster.
   */
  private static long timestamp(LogRecord log) {
    return Math.max(0, Math.min(log.createdAt().toEpochMilli(), System.currentTimeMillis()));
  }

  private static String column(LogRecord log) {
    return log.cell().key().columnName();
  }

  /**
   * Says that an entity row was changed or deleted. Cells are immutable, so somebody went behind
   * the sink's back, and the log keeps what it has said.
   */
  void report(EntityEvent event) {
    LOG.error(
        "Entity rows are immutable, but MySQL carried out the {}; the log does not follow",
        event.describe());
  }

  /** The database of a shard. */
  String database(int shard) {
    return Names.database(topology.instance(), shard);
  }

  /** Texts in bytes, which ByteArrayConverter leaves as they are. */
  private Headers headers(LogRecord log, Optional<String> rebuilt) {
    var headers =
        new ConnectHeaders()
            .add(Envelope.COLUMN_HEADER, bytes(name(column(log))))
            .add(
                Envelope.ORIGIN_HEADER, bytes(name(log.cell().origin().orElseThrow().datacenter())))
            .add(Envelope.SHARD_HEADER, bytes(shards[log.shard()]))
            .add(Envelope.ADDED_ID_HEADER, bytes(ascii(Long.toString(log.addedId()))));
    if (rebuilt.isPresent()) {
      headers.add(Envelope.REBUILT_HEADER, bytes(ascii(rebuilt.get())));
    }
    return headers;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static SchemaAndValue bytes(byte[] text) {
    return new SchemaAndValue(Schema.BYTES_SCHEMA, text);
  }

  /** There are few columns and fewer data centres; whoever has more of them pays for it. */
  private byte[] name(String name) {
    if (names.size() > MOST_NAMES) {
      names.clear();
    }
    return names.computeIfAbsent(name, n -> n.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    envelopes.close();
  }
}
