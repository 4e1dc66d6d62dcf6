package io.cellmesh.triggers;

import io.cellmesh.deployment.KafkaAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes records and the group's offsets at once, or not at all: the coordinator takes no offsets
 * from a process that is no member any more, so that what belongs to them is not written either
 * (KIP-447). Serves one thread.
 */
final class Transactions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);
  private static final int TIMEOUT_MS = 10_000;
  private static final int COMMITS = 3;

  /** A parked record has more headers than it had in the log. */
  private static final int LARGEST = 6 << 20;

  private final String group;
  private final Supplier<Producer<byte[], byte[]>> producers;
  private final Supplier<ConsumerGroupMetadata> member;
  private Producer<byte[], byte[]> producer;

  /** What became of a transaction. */
  enum Outcome {
    COMMITTED,
    ABORTED,
    /** It may be either: whoever is concerned has to look again what is committed. */
    UNKNOWN
  }

  /** Sends the records of a transaction. */
  interface Content {
    void send(Producer<byte[], byte[]> producer) throws InterruptedException;
  }

  /**
   * @param group whose offsets are committed
   * @param producers opens one, as {@link #open} does; again after each that failed
   * @param member of the group, as it is at the moment
   */
  Transactions(
      String group,
      Supplier<Producer<byte[], byte[]>> producers,
      Supplier<ConsumerGroupMetadata> member) {
    this.group = group;
    this.producers = producers;
    this.member = member;
  }

  /** Writes records, and commits for partitions what is finished of them. */
  Outcome run(Content content, Map<TopicPartition, Commit> commits) throws InterruptedException {
    boolean committing = false;
    try {
      if (producer == null) {
        producer = producers.get();
        producer.initTransactions();
      }
      producer.beginTransaction();
      content.send(producer);
      producer.sendOffsetsToTransaction(offsets(commits), member.get());
      // Kafka's producer (4.3) may end a transaction of which records are still to be sent, if its
      // thread is held up between finding none and ending it.
      producer.flush();
      committing = true;
      commit();
      return Outcome.COMMITTED;
    } catch (InterruptException e) {
      discard();
      throw new InterruptedException(e.getMessage());
    } catch (KafkaException e) {
      LOG.warn("A transaction of {} failed: {}", group, e.getMessage());
      return aborted() || !committing ? Outcome.ABORTED : Outcome.UNKNOWN;
    }
  }

  /** While it is not known whether it has committed, it may only be told so again. */
  private void commit() {
    for (int attempt = 1; ; attempt++) {
      try {
        producer.commitTransaction();
        return;
      } catch (TimeoutException e) {
        if (attempt == COMMITS) {
          discard();
          throw e;
        }
      }
    }
  }

  /** One that could not be aborted, and was not told to commit, ends by its timeout. */
  private boolean aborted() {
    if (producer == null) {
      return false;
    }
    try {
      producer.abortTransaction();
      return true;
    } catch (KafkaException | IllegalStateException e) {
      LOG.debug("It could not be aborted either", e);
      discard();
      return false;
    }
  }

  static Map<TopicPartition, OffsetAndMetadata> offsets(Map<TopicPartition, Commit> commits) {
    var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
    commits.forEach(
        (at, commit) -> offsets.put(at, new OffsetAndMetadata(commit.offset(), commit.metadata())));
    return offsets;
  }

  @Override
  public void close() {
    discard();
  }

  private void discard() {
    if (producer != null) {
      producer.close(Duration.ZERO);
      producer = null;
    }
  }

  /**
   * Opens a producer of transactions.
   *
   * @param group with which the transactional id begins, which is this process's alone
   */
  static Producer<byte[], byte[]> open(KafkaAccess kafka, String group) {
    var config = kafka.client();
    config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, group + "-" + UUID.randomUUID());
    config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TIMEOUT_MS);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, TIMEOUT_MS);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 2);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
