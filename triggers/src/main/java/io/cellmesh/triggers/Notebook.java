package io.cellmesh.triggers;

import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.trigger.StateKey;
import io.cellmesh.topics.trigger.StateRecord;
import io.cellmesh.topics.trigger.TriggerName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the state topic what needs no transaction: a late word of a process that has lost a
 * partition makes a count wrong and nothing else. Serves any number of threads.
 */
final class Notebook implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Notebook.class);
  private static final long AGAIN_MS = 1_000;

  private final TriggerName trigger;
  private final String topic;
  private final Supplier<Producer<byte[], byte[]>> producers;

  // Guarded by this.
  private Producer<byte[], byte[]> producer;
  private boolean closed;

  Notebook(KafkaAccess kafka, TriggerName trigger, String topic) {
    this(() -> open(kafka), trigger, topic);
  }

  /**
   * @param producers opens one; again in place of one that is in a state of error
   */
  Notebook(Supplier<Producer<byte[], byte[]>> producers, TriggerName trigger, String topic) {
    this.producers = producers;
    this.trigger = trigger;
    this.topic = topic;
    this.producer = producers.get();
  }

  private static Producer<byte[], byte[]> open(KafkaAccess kafka) {
    var config = kafka.client();
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.LINGER_MS_CONFIG, 1);
    // The thread that reads sends as well, and must not stand still for long.
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Notes the attempts that a batch begins, and waits until they can't be forgotten; as long as
   * that fails the batch does not begin.
   *
   * @throws CancellationException if by then the partition went to another process
   */
  void write(Batch batch) throws InterruptedException {
    if (!batch.notes().isEmpty()) {
      while (!written(batch.notes())) {
        TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
        requireOwned(batch.partition);
      }
    }
    // Also where nothing was noted: that may have taken long, or until a thread took the batch.
    requireOwned(batch.partition);
  }

  private static void requireOwned(PartitionProgress partition) {
    if (partition.isClosed()) {
      throw new CancellationException(partition.at + " went to another process");
    }
  }

  /** Writes notes without waiting for them. */
  void send(List<Note> notes) {
    notes.forEach(note -> send(record(note), note.partition().partition()));
  }

  /** Writes something without waiting for it. */
  void send(StateRecord record, int partition) {
    handIn(record, partition);
  }

  @Override
  public void close() {
    Producer<byte[], byte[]> last;
    synchronized (this) {
      closed = true;
      last = producer;
    }
    last.close(Duration.ofSeconds(5));
  }

  /** Empty if nothing could be handed in. */
  private Optional<Future<RecordMetadata>> handIn(StateRecord record, int partition) {
    var current = producer();
    try {
      return Optional.of(current.send(record.in(topic, partition)));
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException | IllegalStateException e) {
      LOG.warn("Trigger {} writes to {} with another client: {}", trigger, topic, e.getMessage());
      replace(current);
      return Optional.empty();
    }
  }

  private synchronized Producer<byte[], byte[]> producer() {
    return producer;
  }

  /** One that throws when it is handed something, for want of a right once, does so ever after. */
  private synchronized void replace(Producer<byte[], byte[]> failed) {
    if (producer == failed && !closed) {
      try {
        producer = producers.get();
      } catch (KafkaException e) {
        LOG.debug("No other client yet", e);
        return;
      }
      failed.close(Duration.ZERO);
    }
  }

  private boolean written(List<Note> notes) throws InterruptedException {
    var sent = new ArrayList<Future<?>>();
    for (var note : notes) {
      var handedIn = handIn(record(note), note.partition().partition());
      if (handedIn.isEmpty()) {
        return false;
      }
      sent.add(handedIn.get());
    }
    for (var each : sent) {
      try {
        each.get();
      } catch (ExecutionException e) {
        LOG.warn(
            "Trigger {}: attempts could not be noted in {}, trying again: {}",
            trigger,
            topic,
            e.getCause().getMessage());
        return false;
      }
    }
    return true;
  }

  private StateRecord record(Note note) {
    var key = new StateKey.OfAttempts(trigger, note.row());
    return note.attempts()
        .map(attempts -> StateRecord.of(key, attempts))
        .orElseGet(() -> StateRecord.removal(key));
  }
}
