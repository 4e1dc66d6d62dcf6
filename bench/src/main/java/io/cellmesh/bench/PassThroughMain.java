package io.cellmesh.bench;

import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;

/**
 * The least that a Kafka Streams application can do with a log: read each record, map its value to
 * itself, write it to a topic with the same partitions. Settings are Streams' own, which is at
 * least once and from the first record on, but for the threads.
 */
public final class PassThroughMain {
  private PassThroughMain() {}

  /**
   * Runs until SIGTERM, or until its thread fails.
   *
   * @param args bootstrap servers, application id, state directory, stream threads, topic to read,
   *     topic to write
   */
  public static void main(String[] args) throws InterruptedException {
    var settings = new Properties();
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]);
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, args[1]);
    settings.put(StreamsConfig.STATE_DIR_CONFIG, args[2]);
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, args[3]);
    settings.put(
        StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.ByteArray().getClass().getName());
    settings.put(
        StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.ByteArray().getClass().getName());
    var builder = new StreamsBuilder();
    builder.<byte[], byte[]>stream(args[4]).mapValues(value -> value).to(args[5]);
    var ended = new CountDownLatch(1);
    var streams = new KafkaStreams(builder.build(), settings);
    streams.setUncaughtExceptionHandler(
        e -> {
          ended.countDown();
          return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> streams.close(Duration.ofSeconds(5)), "stop"));
    streams.start();
    ended.await();
    System.exit(1);
  }
}
