package org.apache.kafka.clients.producer;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.producer.internals.ProducerInterceptors;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;

/**
 * Kafka's producer with a clock that runs faster than the world, so that a test of seconds shows
 * what becomes of its records in an outage of minutes. It stands in this package because only here
 * can a producer be given a clock.
 */
public final class HurriedProducer {
  private HurriedProducer() {}

  /**
   * A producer to real brokers.
   *
   * @param factor seconds of its clock in each second
   */
  public static Producer<byte[], byte[]> of(Map<String, Object> settings, int factor) {
    var bytes = new ByteArraySerializer();
    return new KafkaProducer<>(
        new ProducerConfig(ProducerConfig.appendSerializerToConfig(settings, bytes, bytes)),
        bytes,
        bytes,
        null,
        null,
        new ProducerInterceptors<>(java.util.List.of(), null),
        new ApiVersions(),
        new HurriedTime(factor));
  }

  private record HurriedTime(int factor, long begin) implements Time {
    HurriedTime(int factor) {
      this(factor, System.nanoTime());
    }

    @Override
    public long milliseconds() {
      return nanoseconds() / 1_000_000;
    }

    @Override
    public long nanoseconds() {
      return (System.nanoTime() - begin) * factor;
    }

    @Override
    public void sleep(long ms) {
      Time.SYSTEM.sleep(Math.max(1, ms / factor));
    }

    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs)
        throws InterruptedException {
      synchronized (object) {
        while (!condition.get()) {
          if (milliseconds() >= deadlineMs) {
            throw new org.apache.kafka.common.errors.TimeoutException("deadline");
          }
          object.wait(10);
        }
      }
    }
  }
}
