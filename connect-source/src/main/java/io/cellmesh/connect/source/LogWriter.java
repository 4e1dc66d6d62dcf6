package io.cellmesh.connect.source;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes records of the log, each in the place of its shard, with the offset that Connect stores
 * with it.
 */
final class LogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);

  private final Topology topology;
  private final ShardTopics shape;
  private final String[] topics;
  private final Map<String, String> source;

  /**
   * @param source Connect's key for the offsets
   */
  LogWriter(Topology topology, ShardTopics shape, Map<String, String> source) {
    this.topology = topology;
    this.shape = shape;
    this.topics = shape.topics(topology);
    this.source = source;
  }

  /** A number that is the same for shards whose cells go to one partition. */
  int slot(int shard) {
    return shape == ShardTopics.TOPIC ? shard : topology.shards().partitionOf(shard);
  }

  /**
   * The record of a cell.
   *
   * @param offset what Connect stores once Kafka has it
   * @throws ConnectException if the body can't be decoded; the message names the cell
   */
  SourceRecord write(LogRecord log, Map<String, ?> offset) {
    return new SourceRecord(
        source,
        offset,
        topics[log.shard()],
        shape.partition(topology, log.shard()),
        Schema.BYTES_SCHEMA,
        Envelope.key(log.cell().key()),
        Schema.BYTES_SCHEMA,
        envelope(log),
        log.createdAt().toEpochMilli(),
        headers(log));
  }

  private static byte[] envelope(LogRecord log) {
    try {
      return Envelope.write(log);
    } catch (IllegalStateException e) {
      throw new ConnectException(
          "Can't decode the body of %s (shard %d, added_id %d)"
              .formatted(log.cell().key(), log.shard(), log.addedId()),
          e);
    }
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

  /** Texts, so that a console consumer shows them as they are. */
  private static Headers headers(LogRecord log) {
    return new ConnectHeaders()
        .addString(Envelope.COLUMN_HEADER, log.cell().key().columnName())
        .addString(Envelope.ORIGIN_HEADER, log.cell().origin().orElseThrow().datacenter())
        .addString(Envelope.SHARD_HEADER, Integer.toString(log.shard()))
        .addString(Envelope.ADDED_ID_HEADER, Long.toString(log.addedId()));
  }
}
