package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.connect.client.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class LogDelaysTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration HELD_BACK = Duration.ofSeconds(1);
  private static final TopicPartition AT = new TopicPartition("trips.log", 0);
  private static final UUID ROW = new UUID(1, 1);
  private static final Topology TOPOLOGY =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 1
          partitions: 1
          datacenter: dc1
          clusters:
            - {name: c1, shards: "0", epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
          """);

  @Test
  void a_log_that_could_not_be_read_for_a_while_is_read_on_where_it_was() throws Exception {
    var clients = new ArrayDeque<>(List.of(struck(cell(1, 10)), back(cell(2, 11), cell(3, 12))));
    var expected = new CountDownLatch(1);
    try (var log = LogDelays.start(() -> next(clients, expected), TOPOLOGY)) {
      for (long ref = 1; ref <= 3; ref++) {
        log.expect("dc1", ROW, ref);
      }
      expected.countDown();
      assertThat(Waiting.within(PATIENCE, () -> log.oldest().isZero() && arrived(log) == 3))
          .isTrue();
    }
  }

  @Test
  void a_cell_that_was_held_back_counts_when_it_was_written_and_one_that_never_came_as_well()
      throws Exception {
    var clients = new ArrayDeque<>(List.of(struck(cell(1, 10))));
    var expected = new CountDownLatch(1);
    try (var log = LogDelays.start(() -> next(clients, expected), TOPOLOGY)) {
      log.expect("dc1", ROW, 1);
      log.expect("dc1", ROW, 2);
      long written = System.nanoTime() + HELD_BACK.toNanos() / 2;
      Thread.sleep(HELD_BACK.toMillis());
      expected.countDown();

      assertThat(Waiting.within(PATIENCE, () -> !log.longest().isZero() && arrived(log) == 2))
          .isTrue();
      assertThat(log.between(Set.of("dc1"), Long.MIN_VALUE, written)).hasSize(2);
      assertThat(log.between(Set.of("dc1"), written, Long.MAX_VALUE)).isEmpty();
      assertThat(log.own()).containsExactly(Map.entry(0, 1L));
    }
  }

  private static MockConsumer<byte[], byte[]> next(
      Queue<MockConsumer<byte[], byte[]>> clients, CountDownLatch expected) {
    try {
      expected.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return Optional.ofNullable(clients.poll())
        .orElseThrow(() -> new TimeoutException("nobody answers"));
  }

  private static long arrived(LogDelays log) {
    return log.between(Set.of("dc1"), Long.MIN_VALUE, Long.MAX_VALUE).count();
  }

  /** Gives a record, then fails. */
  private static MockConsumer<byte[], byte[]> struck(ConsumerRecord<byte[], byte[]> record) {
    var client = client(10);
    client.schedulePollTask(() -> client.addRecord(record));
    client.schedulePollTask(() -> client.setPollException(new TimeoutException("nobody answers")));
    return client;
  }

  /** Has a later end: what came meanwhile stands before it. */
  @SafeVarargs
  private static MockConsumer<byte[], byte[]> back(ConsumerRecord<byte[], byte[]>... records) {
    var client = client(13);
    client.schedulePollTask(
        () -> {
          for (var record : records) {
            client.addRecord(record);
          }
        });
    return client;
  }

  private static MockConsumer<byte[], byte[]> client(long end) {
    var client = new MockConsumer<byte[], byte[]>("none");
    client.updatePartitions(
        AT.topic(), List.of(new PartitionInfo(AT.topic(), AT.partition(), null, null, null)));
    client.updateBeginningOffsets(Map.of(AT, 0L));
    client.updateEndOffsets(Map.of(AT, end));
    return client;
  }

  private static ConsumerRecord<byte[], byte[]> cell(long ref, long offset) throws Exception {
    var key = new CellKey(ROW, "BASE", ref);
    var cell = new Cell(key, Body.ofJson("{}"), Optional.of(new Origin("dc1", ref)));
    return new ConsumerRecord<>(
        AT.topic(),
        AT.partition(),
        offset,
        Envelope.key(key),
        Envelope.write(new LogRecord(cell, 0, ref, Instant.EPOCH)));
  }
}
