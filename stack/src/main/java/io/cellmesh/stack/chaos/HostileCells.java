package io.cellmesh.stack.chaos;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A small flow of records beside {@link KnownCells} that are none of the usual: cells that come
 * twice, spelt in two ways, cells that conflict, cells that several data centres write at the same
 * time, each another body, and records that are no cells. Which of them is stored and which is
 * rejected is for {@link IndependentCheck} to judge.
 */
final class HostileCells implements AutoCloseable {
  /** Of so many known cells, one comes beside them. */
  static final int ONE_OF = 50;

  private static final String DEEP = "[".repeat(500) + "]".repeat(500);

  /** Values that break a rule of the envelope each; %s is the row. */
  private static final List<String> POISON =
      List.of(
          "",
          "{",
          "[]",
          "{\"row_key\":\"%s\"}",
          "{\"row_key\":\"%s\",\"column_name\":\"\",\"ref_key\":1,\"body\":{}}",
          "{\"row_key\":\"%s\",\"column_name\":\""
              + "N".repeat(3_000)
              + "\",\"ref_key\":1,\"body\":{}}",
          "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1.5,\"body\":{}}",
          "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":\"1\",\"body\":{}}",
          "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":9223372036854775808,\"body\":{}}",
          "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":2,\"body\":{\"a\":1,\"a\":1}}",
          "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":3,\"body\":" + DEEP + "}",
          "{\"row_key\":\"not a uuid\",\"column_name\":\"BASE\",\"ref_key\":4,\"body\":{}}",
          "{\"v\":9,\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":5,\"body\":{}}");

  private final String datacenter;
  private final String topic;
  private final Shards shards;
  private final Random own;
  private final Random shared;
  private final boolean contested;
  private final KafkaProducer<byte[], byte[]> producer;
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private long turn;

  private HostileCells(String bootstrap, Topology topology, long seed, boolean contested) {
    this.datacenter = topology.datacenter();
    this.topic = topology.topics().cells();
    this.shards = topology.shards();
    this.own = new Random(seed ^ datacenter.hashCode());
    this.shared = new Random(~seed);
    this.contested = contested;
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap, "acks", "all"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /**
   * Begins to produce.
   *
   * @param rate of the known cells, in cells a second
   * @param seed the same in all data centres, which write the contested cells of the same keys
   * @param contested whether there are others to contest with
   */
  static HostileCells start(
      String bootstrap, Topology topology, int rate, long seed, boolean contested) {
    var cells = new HostileCells(bootstrap, topology, seed, contested);
    long nanos = Duration.ofSeconds(ONE_OF).toNanos() / rate;
    cells.clock.scheduleAtFixedRate(cells::tick, nanos, nanos, TimeUnit.NANOSECONDS);
    return cells;
  }

  /**
   * Produces no more; returns when all is acknowledged.
   *
   * @throws IllegalStateException if a record was not
   */
  void stop() {
    clock.shutdown();
    try {
      clock.awaitTermination(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    producer.flush();
    if (failure.get() != null) {
      throw new IllegalStateException("a record was not acknowledged", failure.get());
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    producer.close(Duration.ofSeconds(5));
  }

  private void tick() {
    try {
      switch ((int) (turn++ % 4)) {
        case 0 -> twice();
        case 1 -> conflicting();
        case 2 -> poison();
        default -> contested();
      }
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  private void twice() {
    var row = row(own);
    send(row, cell(row, "{\"n\":1,\"text\":\"twice\"}"));
    send(row, cell(row, "{\"text\" : \"twice\", \"n\":1.0}"));
  }

  private void conflicting() {
    var row = row(own);
    send(row, cell(row, "\"first\""));
    send(row, cell(row, "\"second\""));
  }

  private void poison() {
    var row = row(own);
    send(row, POISON.get(own.nextInt(POISON.size())).replace("%s", row.toString()));
  }

  private void contested() {
    var row = row(shared);
    if (contested) {
      send(row, cell(row, "\"of " + datacenter + "\""));
    }
  }

  private static UUID row(Random random) {
    return new UUID(random.nextLong(), random.nextLong());
  }

  private static String cell(UUID row, String body) {
    return "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1,\"body\":%s}"
        .formatted(row, body);
  }

  private void send(UUID row, String value) {
    int partition = shards.partitionOf(shards.of(row));
    producer.send(
        new ProducerRecord<>(topic, partition, bytes(row.toString()), bytes(value)),
        (place, e) -> {
          if (e != null) {
            failure.compareAndSet(null, e);
          }
        });
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
