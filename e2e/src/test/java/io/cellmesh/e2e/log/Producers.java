package io.cellmesh.e2e.log;

import io.cellmesh.e2e.faults.FaultStack;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Several producers side by side, each with rows of its own in every shard, as fast as they can.
 */
final class Producers {
  private static final int ROWS = 256;
  private static final String TEXT = "seldom the same, often alike; ".repeat(3);

  private final FaultStack stack;

  Producers(FaultStack stack) {
    this.stack = stack;
  }

  /** Returns when Kafka has acknowledged all cells. */
  void produce(int producers, int cells, long seed) {
    var all =
        IntStream.range(0, producers)
            .mapToObj(
                number ->
                    CompletableFuture.runAsync(
                        () -> produce(cells / producers, new RowKeys(seed + number)),
                        command -> new Thread(command, "producer-" + number).start()))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(all).join();
  }

  private void produce(int cells, RowKeys keys) {
    List<UUID> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(keys.next());
    }
    var failure = new AtomicReference<Exception>();
    try (var producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", stack.bootstrap(), "linger.ms", "5", "acks", "all"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < cells; i++) {
        var row = rows.get(i % ROWS);
        producer.send(
            record(row, i / ROWS),
            (place, e) -> {
              if (e != null) {
                failure.set(e);
              }
            });
      }
      producer.flush();
    }
    if (failure.get() != null) {
      throw new IllegalStateException("a cell was not acknowledged", failure.get());
    }
  }

  private static ProducerRecord<byte[], byte[]> record(UUID row, int ref) {
    var json =
        "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":%d,\"body\":{\"ref\":%d,\"text\":\"%s\"}}"
            .formatted(row, ref, ref, TEXT);
    return new ProducerRecord<>("trips.cells", bytes(row.toString()), bytes(json));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
