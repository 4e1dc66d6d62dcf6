package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class MeshWriterTest {
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());

  @Test
  void once_a_record_is_refused_neither_a_flush_nor_a_further_record_succeeds() {
    try (var writer = new MeshWriter(producer, MeshWindow.none())) {
      writer.write(record());
      producer.errorNext(new RecordTooLargeException("too large"));

      assertThatThrownBy(writer::flush)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("too large");
      assertThatThrownBy(() -> writer.write(record())).isInstanceOf(IllegalStateException.class);
      assertThat(producer.history()).hasSize(1);
    }
  }

  private static ProducerRecord<byte[], byte[]> record() {
    return new ProducerRecord<>("trips.mesh", 0, null, new byte[] {1});
  }
}
