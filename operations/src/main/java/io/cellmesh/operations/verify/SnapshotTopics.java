package io.cellmesh.operations.verify;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.connect.converter.EnvelopeConverter;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogOffsets;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads what a {@link Snapshot} saw in the topics. For one thread. */
final class SnapshotTopics implements AutoCloseable {
  private final KafkaConsumer<byte[], byte[]> client;
  private final PartitionReader reader;
  private final IngestedReader ingested;
  private final EnvelopeReader envelopes = EnvelopeReader.passing();
  private final List<TopicOffsets> sources;
  private final LogOffsets log;
  private final Optional<IngestArchive> archive;

  SnapshotTopics(
      DataCenter datacenter,
      TopicOffsets cells,
      TopicOffsets mesh,
      LogOffsets log,
      Optional<IngestArchive> archive,
      Optional<EnvelopeConverter> converter) {
    var topology = datacenter.topology();
    this.sources = List.of(cells, mesh);
    this.log = log;
    this.archive = archive;
    this.ingested = new IngestedReader(topology.topics(), topology.shards(), converter);
    this.client = Consumers.open(datacenter.kafka());
    this.reader = new PartitionReader(client);
  }

  /**
   * Hands out the records of {@code trips.cells}, then those of {@code trips.mesh}.
   *
   * @return whether these are all that the topics ever held: they, or the archive for them, have
   *     the first record, and none went before it was read
   */
  boolean ingested(int partition, Consumer<Ingested> consumer) {
    boolean all = true;
    for (var topic : sources) {
      var at = topic.partition(partition);
      long begin = topic.begin(partition);
      long end = topic.end(partition);
      Consumer<ConsumerRecord<byte[], byte[]>> reading =
          record -> consumer.accept(ingested.read(record));
      if (archive.isPresent()) {
        reader.read(at, archived(at, begin, end, consumer), end, reading);
      } else {
        boolean gone = reader.readRetained(at, begin, end, reading);
        all &= begin == 0 && !gone;
      }
    }
    return all;
  }

  /**
   * Hands out what the archive has.
   *
   * @return the offset from which on the topic has to be read
   * @throws IllegalStateException if records are in neither of the two
   */
  private long archived(TopicPartition at, long begin, long end, Consumer<Ingested> consumer) {
    long archived = Math.min(end, archive.get().end(at));
    if (archived < begin) {
      throw new IllegalStateException(
          "%s begins at %d, but is archived up to %d only".formatted(at, begin, archived));
    }
    archive.get().read(at, archived, record -> consumer.accept(ingested.read(record)));
    return archived;
  }

  void logged(int partition, LoggedOrderCheck check) {
    for (var at : log.partitions(partition)) {
      reader.read(
          at,
          log.begin().get(at),
          log.end().get(at),
          record -> {
            try {
              check.record(envelopes.readLog(record.key(), record.value()));
            } catch (InvalidCellException e) {
              check.unreadable(at + "@" + record.offset(), e.getMessage());
            }
          });
    }
  }

  @Override
  public void close() {
    client.close();
    ingested.close();
    envelopes.close();
  }
}
