package io.cellmesh.herb;

import io.cellmesh.deployment.KafkaAccess;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes into this data centre's topics until the first record is refused for good: then nothing
 * more is sent, as {@link FailStopProducer} has it, and whoever writes or flushes is told. One
 * thread at a time.
 */
final class MeshWriter implements AutoCloseable {
  private final Producer<byte[], byte[]> producer;
  private final MeshWindow window;
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  /**
   * @param producer closed with this one
   * @param window is told what is sent, and what has arrived
   */
  MeshWriter(Producer<byte[], byte[]> producer, MeshWindow window) {
    this.producer = producer;
    this.window = window;
  }

  /**
   * Opens one for the topics of this data centre.
   *
   * @param compression as Kafka calls it
   * @param linger milliseconds that a record may wait for more
   */
  static MeshWriter of(KafkaAccess here, String compression, int linger, MeshWindow window) {
    var settings = here.quiet();
    settings.putAll(LinkSettings.producer(compression, linger));
    return new MeshWriter(new FailStopProducer(settings), window);
  }

  /**
   * Sends a record after those before it.
   *
   * @throws IllegalStateException if one was refused
   */
  void write(ProducerRecord<byte[], byte[]> record) {
    check();
    producer.send(
        record,
        window.counted(
            record,
            (metadata, refusal) -> {
              if (refusal != null) {
                failure.compareAndSet(null, refusal);
              }
            }));
  }

  /**
   * Returns when all are safe.
   *
   * @throws IllegalStateException if one was refused
   */
  void flush() {
    producer.flush();
    check();
  }

  private void check() {
    var refusal = failure.get();
    if (refusal != null) {
      throw new IllegalStateException(refusal.toString(), refusal);
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
