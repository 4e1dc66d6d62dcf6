package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.devstack.DevStack;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The linger is so long here that nothing is sent because of its end. */
class PromptClientsIT {
  @TempDir static Path dir;

  private static DevStack broker;
  private static TestInstance instance;
  private static TopicPartition log;

  private Producer<byte[], byte[]> producer;
  private Consumer<byte[], byte[]> consumer;

  @BeforeAll
  static void start() throws Exception {
    broker = TestInstance.broker(dir.resolve("stack"));
    instance = new TestInstance(broker, dir);
    log = new TopicPartition(instance.topics().log(), 0);
  }

  @AfterAll
  static void stop() {
    instance.close();
    broker.close();
  }

  @BeforeEach
  void open() {
    var clients = new PromptClients();
    producer =
        clients.getProducer(
            Map.of(
                "bootstrap.servers",
                instance.bootstrap(),
                "linger.ms",
                600_000,
                "delivery.timeout.ms",
                Integer.MAX_VALUE,
                "batch.size",
                1 << 20));
    consumer = clients.getConsumer(Map.of("bootstrap.servers", instance.bootstrap()));
    consumer.assign(List.of(log));
  }

  @AfterEach
  void close() {
    producer.close();
    consumer.close();
  }

  @Test
  void whatAFewRecordsCameToIsSentBeforeThereIsMore() {
    long before = records();
    send(PromptClients.FEW);
    consumer.poll(Duration.ZERO);
    assertThat(records()).isEqualTo(before + PromptClients.FEW);
  }

  @Test
  void aBacklogFillsItsBatchesAndTheFewBehindItAreSentAgain() {
    long before = records();
    send(PromptClients.FEW + 1);
    consumer.poll(Duration.ZERO);
    assertThat(records()).isEqualTo(before);
    send(1);
    consumer.poll(Duration.ZERO);
    assertThat(records()).isEqualTo(before + PromptClients.FEW + 2);
  }

  private void send(int count) {
    for (int i = 0; i < count; i++) {
      producer.send(new ProducerRecord<>(log.topic(), log.partition(), new byte[1], new byte[1]));
    }
  }

  private long records() {
    return consumer.endOffsets(List.of(log)).get(log);
  }
}
