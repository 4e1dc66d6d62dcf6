package io.cellmesh.operations.index;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import io.cellmesh.topics.load.CellProducer;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Brings the cells of the entity tables to a pass, for a log that no longer has all of them: shard
 * after shard in added_id order, into a topic that only this pass reads. What the topic has already
 * tells where an interrupted one goes on. Cells that come meanwhile are in the log.
 */
public final class Backfill {
  private final IndexSite site;
  private final String topic;

  Backfill(IndexSite site, String pass) {
    this.site = site;
    this.topic = site.topology().topics().indexBackfill(pass);
  }

  /**
   * Reads the tables.
   *
   * @param progress called with the number of shards done
   */
  public void run(LongConsumer progress) throws SQLException {
    var shards = site.topology().shards();
    var reached = reached();
    try (var producer = new CellProducer(site.dc().kafka(), site.topology().topics())) {
      for (int shard = 0; shard < shards.count(); shard++) {
        var last = reached.get(shards.partitionOf(shard));
        if (last == null || last.shard() < shard) {
          send(producer, shard, 0);
        } else if (last.shard() == shard) {
          send(producer, shard, last.addedId());
        }
        progress.accept(shard + 1L);
      }
      producer.flush();
    }
  }

  private void send(CellProducer producer, int shard, long after) throws SQLException {
    try (var connection = site.pools().open(site.topology().clusterOf(shard).master())) {
      EntityScan.scan(
          connection,
          site.topology(),
          shard,
          after,
          row ->
              producer.send(
                  new ProducerRecord<>(topic, Envelope.key(row.cell().key()), Envelope.write(row)),
                  place -> {}));
    }
  }

  /** The last row that each partition of the topic has. */
  private Map<Integer, LogRecord> reached() {
    var reached = new HashMap<Integer, LogRecord>();
    try (var envelopes = new EnvelopeReader(EnvelopeReader.MAX_BODY_LIMIT);
        var client = Consumers.open(site.dc().kafka())) {
      var offsets = TopicOffsets.of(client, topic);
      var reader = new PartitionReader(client);
      for (int p = 0; p < offsets.partitions(); p++) {
        long end = offsets.end(p);
        int partition = p;
        reader.read(
            offsets.partition(p),
            Math.max(offsets.begin(p), end - 1),
            end,
            record -> reached.put(partition, row(envelopes, record)));
      }
    }
    return reached;
  }

  private static LogRecord row(EnvelopeReader envelopes, ConsumerRecord<byte[], byte[]> record) {
    try {
      return envelopes.readLog(record.key(), record.value());
    } catch (InvalidCellException e) {
      throw new KafkaException(
          "%s-%d@%d: %s"
              .formatted(record.topic(), record.partition(), record.offset(), e.getMessage()));
    }
  }
}
