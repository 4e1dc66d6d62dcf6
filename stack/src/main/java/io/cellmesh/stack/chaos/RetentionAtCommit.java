package io.cellmesh.stack.chaos;

import io.cellmesh.cell.Topics;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.operations.verify.IngestArchive;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Deletes the records of a data centre's ingest topics as the sink's committed offsets pass them,
 * so that no record which Kafka still has can hide that the sink has lost its only other copy. The
 * last passed one stays, since the sink compares it with what it remembers. An independent consumer
 * keeps each record in an {@link IngestArchive} before it is deleted, for whoever verifies.
 */
public final class RetentionAtCommit implements AutoCloseable {
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final KafkaAccess kafka;
  private final Topics topics;
  private final String group;
  private final IngestArchive archive;
  private final Map<TopicPartition, Long> deletedTo = new HashMap<>();
  private final Thread thread = new Thread(this::run, "retention-at-commit");
  private volatile Map<TopicPartition, Long> read = Map.of();
  private volatile RuntimeException failure;
  private volatile boolean stopped;

  private RetentionAtCommit(KafkaAccess kafka, Topics topics, String group, Path directory) {
    this.kafka = kafka;
    this.topics = topics;
    this.group = group;
    this.archive = new IngestArchive(directory);
  }

  /**
   * Begins. Nothing of the topics may have expired yet.
   *
   * @param group the sink's consumer group
   * @param directory for the archive
   */
  public static RetentionAtCommit start(
      KafkaAccess kafka, Topics topics, String group, Path directory) {
    var retention = new RetentionAtCommit(kafka, topics, group, directory);
    retention.thread.setDaemon(true);
    retention.thread.start();
    return retention;
  }

  /** What was read, and will be read on until {@link #close}. */
  public IngestArchive archive() {
    return archive;
  }

  /**
   * Waits until the archive has every record that is in the topics when this is called.
   *
   * @throws IllegalStateException if it does not come to that within a minute
   */
  public void awaitArchived() throws InterruptedException {
    Map<TopicPartition, Long> ends;
    try (var client = Consumers.open(kafka)) {
      ends = client.endOffsets(partitions(client));
    }
    Waiting.within(PATIENCE, () -> failure != null || hasRead(ends));
    if (failure != null) {
      throw new IllegalStateException(
          "the ingest topics are not archived any more: " + failure, failure);
    }
    if (!hasRead(ends)) {
      throw new IllegalStateException("archived up to %s, of %s".formatted(read, ends));
    }
  }

  /** How many records were deleted. */
  public synchronized long deleted() {
    return deletedTo.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Deletes no more; what was archived stays. */
  @Override
  public void close() {
    stopped = true;
    try {
      thread.join(PATIENCE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    archive.close();
  }

  private boolean hasRead(Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> read.getOrDefault(end.getKey(), 0L) >= end.getValue());
  }

  private void run() {
    try (var client = Consumers.follow(kafka, EVERY, group);
        var admin = Consumers.admin(kafka)) {
      var partitions = partitions(client);
      client.assign(partitions);
      client.seekToBeginning(partitions);
      long next = System.nanoTime();
      while (!stopped) {
        try {
          client.poll(EVERY).forEach(archive::append);
          if (System.nanoTime() >= next) {
            archive.flush();
            read = positions(client, partitions);
            expire(client, admin);
            next = System.nanoTime() + EVERY.toNanos();
          }
        } catch (TimeoutException e) {
          // The broker may be the very one that was struck: awaitArchived tells if it stays away.
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> client) {
    var partitions = new ArrayList<TopicPartition>();
    for (var topic : List.of(topics.cells(), topics.mesh())) {
      var offsets = TopicOffsets.of(client, topic);
      for (int partition = 0; partition < offsets.partitions(); partition++) {
        partitions.add(offsets.partition(partition));
      }
    }
    return partitions;
  }

  private static Map<TopicPartition, Long> positions(
      KafkaConsumer<byte[], byte[]> client, List<TopicPartition> partitions) {
    var positions = new HashMap<TopicPartition, Long>();
    partitions.forEach(at -> positions.put(at, client.position(at)));
    return Map.copyOf(positions);
  }

  /** A broker that does not answer just now is asked again. */
  private void expire(KafkaConsumer<byte[], byte[]> client, Admin admin)
      throws InterruptedException {
    try {
      var passed = passed(client.committed(read.keySet()));
      if (!passed.isEmpty()) {
        var before = new HashMap<TopicPartition, RecordsToDelete>();
        passed.forEach((at, offset) -> before.put(at, RecordsToDelete.beforeOffset(offset)));
        admin.deleteRecords(before).all().get();
        synchronized (this) {
          deletedTo.putAll(passed);
        }
      }
    } catch (ExecutionException | KafkaException e) {
      // It may be the very one that was struck: awaitArchived tells if it stays away.
    }
  }

  /** Up to where records have been passed and archived, where that has moved. */
  private Map<TopicPartition, Long> passed(Map<TopicPartition, OffsetAndMetadata> committed) {
    var passed = new HashMap<TopicPartition, Long>();
    read.forEach(
        (at, archived) -> {
          var offset = committed.get(at);
          long end = offset == null ? 0 : Math.min(archived, offset.offset() - 1);
          if (end > deletedTo.getOrDefault(at, 0L)) {
            passed.put(at, end);
          }
        });
    return passed;
  }
}
