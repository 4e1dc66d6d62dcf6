package io.cellmesh.connect.source;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Topology;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns what Debezium sends into records of the log: one for each row that was created, into the
 * partition of its shard, with Debezium's own offset.
 *
 * <p>An update or a deletion of an entity row is never passed on: cells are immutable, so somebody
 * went behind the sink's back, and the log keeps what it has said. The worker's log says so.
 */
final class LogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);

  private final Topology topology;
  private final String topic;

  LogWriter(Topology topology) {
    this.topology = topology;
    this.topic = topology.topics().log();
  }

  /**
   * The record of the log, if there is to be one.
   *
   * @throws ConnectException if the row can't be decoded; the message names it, without its body
   */
  Optional<SourceRecord> write(SourceRecord record) {
    return EntityEvent.of(record).flatMap(event -> write(event, record));
  }

  private Optional<SourceRecord> write(EntityEvent event, SourceRecord record) {
    if (!event.isCreation()) {
      LOG.error(
          "Entity rows are immutable, but MySQL carried out the {}; the log does not follow",
          event.describe());
      return Optional.empty();
    }
    try {
      return Optional.of(logRecord(event.created(), record.sourcePartition(), record));
    } catch (IllegalStateException e) {
      throw new ConnectException("Can't decode the " + event.describe(), e);
    }
  }

  private SourceRecord logRecord(LogRecord log, Map<String, ?> partition, SourceRecord record) {
    return new SourceRecord(
        partition,
        record.sourceOffset(),
        topic,
        topology.shards().partitionOf(log.shard()),
        Schema.BYTES_SCHEMA,
        Envelope.key(log.cell().key()),
        Schema.BYTES_SCHEMA,
        Envelope.write(log),
        log.createdAt().toEpochMilli(),
        headers(log));
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
