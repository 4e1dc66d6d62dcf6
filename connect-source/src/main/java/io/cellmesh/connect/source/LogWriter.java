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

  /**
   * The record of a row that was created.
   *
   * @throws ConnectException if the row can't be decoded; the message names it, without its body
   */
  SourceRecord write(EntityEvent event, LogOffset offset) {
    try {
      return write(event.created(), offset);
    } catch (IllegalStateException e) {
      throw new ConnectException("Can't decode the " + event.describe(), e);
    }
  }

  SourceRecord write(LogRecord log, LogOffset offset) {
    return new SourceRecord(
        source,
        offset.stored(),
        topics[log.shard()],
        shape.partition(topology, log.shard()),
        Schema.BYTES_SCHEMA,
        Envelope.key(log.cell().key()),
        Schema.BYTES_SCHEMA,
        Envelope.write(log),
        log.createdAt().toEpochMilli(),
        headers(log));
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
