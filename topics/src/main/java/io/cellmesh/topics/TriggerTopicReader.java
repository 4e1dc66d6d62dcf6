package io.cellmesh.topics;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Reads the log and the topic of one of its columns, to tell how far back the topic reaches. */
public final class TriggerTopicReader {
  private TriggerTopicReader() {}

  /**
   * Tells it of each partition, by its number. That takes as long as reading the whole log once.
   *
   * @param client reads committed records, and is assigned other partitions
   * @throws KafkaException if there is no such topic or no log, or a record has no place in its
   *     headers
   */
  public static List<TriggerTopicReach> read(
      Consumer<byte[], byte[]> client, Topology topology, String column) {
    var log = LogOffsets.of(client, topology);
    var topic = TopicOffsets.of(client, topology.topics().trigger(column));
    var reader = new PartitionReader(client);
    var reaches = new ArrayList<TriggerTopicReach>();
    for (int partition = 0; partition < topology.shards().partitions(); partition++) {
      var reach = new TriggerTopicReach(topic.begin(partition));
      for (var part : log.partitions(partition)) {
        read(
            reader,
            part,
            log.begin().get(part),
            log.end().get(part),
            column,
            (offset, shard, id) -> reach.log(shard, id));
      }
      // Its end only now: what the log held up to its own is there, and what comes does no harm.
      var own = topic.partition(partition);
      long end = client.endOffsets(List.of(own)).get(own);
      read(reader, own, topic.begin(partition), end, column, reach::topic);
      reaches.add(reach);
    }
    return List.copyOf(reaches);
  }

  /** What is told of each record of the column. */
  private interface Told {
    void of(long offset, int shard, long addedId);
  }

  private static void read(
      PartitionReader reader,
      TopicPartition partition,
      long begin,
      long end,
      String column,
      Told told) {
    reader.read(
        partition,
        begin,
        end,
        record -> {
          if (HeaderText.of(record.headers(), Envelope.COLUMN_HEADER).equals(Optional.of(column))) {
            told.of(
                record.offset(),
                (int) number(record, Envelope.SHARD_HEADER),
                number(record, Envelope.ADDED_ID_HEADER));
          }
        });
  }

  private static long number(ConsumerRecord<byte[], byte[]> record, String header) {
    var text = HeaderText.of(record.headers(), header);
    try {
      return Long.parseLong(text.orElse(""));
    } catch (NumberFormatException e) {
      throw new KafkaException(
          "%s-%d@%d: header %s is no number"
              .formatted(record.topic(), record.partition(), record.offset(), header),
          e);
    }
  }
}
