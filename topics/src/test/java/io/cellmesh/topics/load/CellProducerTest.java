package io.cellmesh.topics.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class CellProducerTest {
  private final MockProducer<byte[], byte[]> kafka =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final CellProducer producer =
      new CellProducer(
          new KafkaAccess(
              "k1:9093",
              Map.of(
                  "sasl.jaas.config",
                  "x.PlainLoginModule required username=\"ann\" password=\"p\";")),
          kafka,
          new Topics("trips"));

  @Test
  void aCellGoesUnderItsRowKeyAsAnEnvelope() throws Exception {
    var cell = CellInput.parse("6d1f3c1e-5a52-4f0e-9a3b-2c8d5b1f7e40", "BASE", "1", "{}");

    producer.send(cell, place -> {});

    var record = kafka.history().get(0);
    assertThat(record.topic()).isEqualTo("trips.cells");
    assertThat(record.key()).asString().isEqualTo("6d1f3c1e-5a52-4f0e-9a3b-2c8d5b1f7e40");
    assertThat(record.value()).asString().contains("\"column_name\":\"BASE\"");
  }

  @Test
  void whatKafkaRefusedIsThrownNotCounted() throws Exception {
    var cell = CellInput.parse("6d1f3c1e-5a52-4f0e-9a3b-2c8d5b1f7e40", "BASE", "1", "{}");
    var acknowledged = new AtomicLong();

    producer.send(cell, place -> acknowledged.incrementAndGet());
    kafka.errorNext(new RecordTooLargeException("too large"));

    assertThatThrownBy(producer::flush).hasMessageContaining("too large");
    assertThat(acknowledged).hasValue(0);
  }

  @Test
  void whoMayNotWriteIsNamedWithTheRightThatIsMissing() throws Exception {
    var cell = CellInput.parse("6d1f3c1e-5a52-4f0e-9a3b-2c8d5b1f7e40", "BASE", "1", "{}");

    producer.send(cell, place -> {});
    kafka.errorNext(new TopicAuthorizationException(Set.of("trips.cells")));

    assertThatThrownBy(producer::flush)
        .hasMessageStartingWith("user ann may not Write topic trips.cells at k1:9093; ")
        .hasMessageContaining("cellmesh grants --kafka");
  }
}
