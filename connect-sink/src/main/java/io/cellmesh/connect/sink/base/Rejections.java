package io.cellmesh.connect.sink.base;

import io.cellmesh.connect.sink.base.DeadLetter.Extent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to {@code trips.rejected} (invariants 4 and 11). What was rejected is kept until Kafka
 * has acknowledged it, so that an outage of Kafka costs time and nothing else: {@link #await}
 * throws, nothing is committed, and the same records are sent again. What is too large for the
 * topic is told without its value.
 *
 * <p>With a producer of its own, since Connect's reporter drops a send that fails at once.
 * Thread-safe.
 */
public final class Rejections implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Rejections.class);

  /** Who rejects more before Kafka has taken some waits for it. */
  static final int MOST_RECORDS = 1000;

  static final long MOST_BYTES = 16 << 20;

  /** Longest wait for Kafka at a time. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final DeadLetter.Sender sender;
  private final Supplier<Producer<byte[], byte[]>> producers;
  private final Runnable withoutValue;
  private final Duration patience;
  private final Deque<Untold> untold = new ArrayDeque<>();
  private long bytes;
  private Producer<byte[], byte[]> producer;
  private boolean closed;

  /**
   * @param producers makes one for byte arrays; asked again after one has failed for good
   * @param withoutValue told of each record that is told without its value
   * @param patience longest wait for Kafka at a time
   */
  Rejections(
      DeadLetter.Sender sender,
      Supplier<Producer<byte[], byte[]>> producers,
      Runnable withoutValue,
      Duration patience) {
    this.sender = sender;
    this.producers = producers;
    this.withoutValue = withoutValue;
    this.patience = patience;
  }

  /**
   * To the dead-letter topic of a connector.
   *
   * @param withoutValue told of each record that is told without its value
   */
  public static Rejections of(StorageSettings settings, Runnable withoutValue) {
    var producer = new RejectionsProducer(settings);
    return new Rejections(producer.sender(), producer, withoutValue, PATIENCE);
  }

  /**
   * Sends a record there; {@link #await} knows when it has arrived.
   *
   * @throws RetriableException if too much waits for Kafka: this record is not taken
   * @throws ConnectException if Kafka refuses what is sent, for a reason that a person must mend
   */
  public synchronized void reject(SinkRecord record, Exception reason) {
    reject(Original.of(record), reason, List.of());
  }

  /**
   * The same for a record that no task was given.
   *
   * @param more headers that say something of it
   */
  public synchronized void reject(Original original, Exception reason, List<Header> more) {
    long deadline = PrimaryExecutor.deadline(patience);
    while (!untold.isEmpty()
        && (untold.size() >= MOST_RECORDS || bytes + original.size() > MOST_BYTES)) {
      awaitOldest(deadline);
    }
    var one = new Untold(new DeadLetter(sender, original, reason, more));
    untold.add(one);
    bytes += original.size();
    one.sent = send(one);
  }

  /**
   * Waits until all that was sent is acknowledged.
   *
   * @throws RetriableException if Kafka does not take it now: nothing that follows it may be
   *     committed
   * @throws ConnectException if Kafka refuses it, for a reason that a person must mend
   */
  public synchronized void await() {
    long deadline = PrimaryExecutor.deadline(patience);
    while (!untold.isEmpty()) {
      awaitOldest(deadline);
    }
  }

  /** Lets go of what waits for Kafka: the caller has it elsewhere. */
  public synchronized void forget() {
    untold.clear();
    bytes = 0;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (producer != null) {
      producer.close(Duration.ofSeconds(1));
      producer = null;
    }
  }

  private static final class Untold {
    private final DeadLetter letter;
    private Extent extent = Extent.ALL;

    /** Null if it must be sent again. */
    private Future<RecordMetadata> sent;

    Untold(DeadLetter letter) {
      this.letter = letter;
    }

    String place() {
      return letter.original().at() + "@" + letter.original().offset();
    }
  }

  /** Waits for the oldest; what failed before this call is sent once more. */
  private void awaitOldest(long deadline) {
    var oldest = untold.peek();
    for (boolean fresh = false; !acknowledged(oldest, fresh, deadline); fresh = true) {
      oldest.sent = send(oldest);
    }
    untold.remove();
    bytes -= oldest.letter.original().size();
  }

  /** Whether Kafka has it; false if it must be sent once more. */
  private boolean acknowledged(Untold one, boolean fresh, long deadline) {
    if (one.sent == null) {
      return retry(one, fresh, "its producer has failed");
    }
    try {
      one.sent.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      throw later(one, "no answer");
    } catch (ExecutionException e) {
      one.sent = null;
      if (e.getCause() instanceof RecordTooLargeException tooLarge) {
        shorten(one, tooLarge);
        return false;
      }
      giveUpOrReplace(e.getCause());
      return retry(one, fresh, e.getCause().toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("stopped while waiting for " + sender.topic(), e);
    }
  }

  private boolean retry(Untold one, boolean fresh, String why) {
    if (fresh) {
      throw later(one, why);
    }
    return false;
  }

  private Future<RecordMetadata> send(Untold one) {
    if (closed) {
      throw new ConnectException("stopped: nothing more is told to " + sender.topic());
    }
    try {
      if (producer == null) {
        producer = producers.get();
      }
      return producer.send(one.letter.record(one.extent));
    } catch (KafkaException | IllegalStateException e) {
      // It has failed for good, and says so at the next send; or there is none, as while no
      // broker's name can be resolved.
      LOG.warn("the producer for {} is replaced: {}", sender.topic(), e.getMessage());
      replace();
      return null;
    }
  }

  private void giveUpOrReplace(Throwable failure) {
    if (failure instanceof AuthorizationException
        || failure instanceof AuthenticationException
        || failure instanceof InvalidTopicException
        || failure instanceof UnsupportedVersionException) {
      throw new ConnectException(
          "%s can't be written to, so rejected records have nowhere to go: %s"
              .formatted(sender.topic(), failure.getMessage()),
          failure);
    }
    if (!(failure instanceof org.apache.kafka.common.errors.RetriableException)) {
      replace();
    }
  }

  private void shorten(Untold one, Throwable failure) {
    if (one.extent == Extent.PLACE_AND_REASON) {
      throw new ConnectException(
          "%s takes not even a record's place and reason; raise its max.message.bytes: %s"
              .formatted(sender.topic(), failure.getMessage()),
          failure);
    }
    if (one.extent == Extent.ALL) {
      LOG.warn("{} is told without its value: {}", one.place(), failure.getMessage());
      withoutValue.run();
    }
    one.extent = Extent.values()[one.extent.ordinal() + 1];
  }

  private RetriableException later(Untold one, String why) {
    return new RetriableException(
        "%s does not take the rejected record %s now, nor %d more; they are sent again: %s"
            .formatted(sender.topic(), one.place(), untold.size() - 1, why));
  }

  private void replace() {
    var failed = producer;
    producer = null;
    if (failed != null) {
      try {
        failed.close(Duration.ZERO);
      } catch (KafkaException e) {
        LOG.debug("the producer for {} did not close well", sender.topic(), e);
      }
    }
  }
}
