package io.cellmesh.triggers;

import static io.cellmesh.triggers.OneProcess.AT;
import static io.cellmesh.triggers.OneProcess.row;
import static io.cellmesh.triggers.OneProcess.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.TriggerName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class NotebookTest {
  private static final TriggerName NAME = new TriggerName("billing");
  private static final String TOPIC = "trips.trigger-state";

  private final PartitionProgress partition =
      PartitionProgress.of(
          AT, new Assignment(100, "", Set.of(), Map.of()), settings(Order.ROW), new Held());

  @Test
  void a_batch_does_not_begin_once_its_partition_went_to_another_process() throws Exception {
    // Before the first commit everything would be noted.
    partition.committed(new Commit(100, ""));
    var batch = batch();
    try (var notebook = new Notebook(KafkaAccess.plain("127.0.0.1:1"), NAME, TOPIC)) {
      assertThat(batch.notes()).isEmpty();
      notebook.write(batch);

      partition.close();

      assertThatThrownBy(() -> notebook.write(batch))
          .isInstanceOf(CancellationException.class)
          .hasMessageContaining("went to another process");
    }
  }

  @Test
  void a_client_that_takes_nothing_more_is_replaced_before_the_batch_begins() throws Exception {
    var producers = new ArrayList<MockProducer<byte[], byte[]>>();
    try (var notebook = new Notebook(() -> producer(producers), NAME, TOPIC)) {
      producers.get(0).sendException = new KafkaException("in an error state");

      notebook.write(batch());

      assertThat(producers).hasSize(2);
      assertThat(producers.get(0).closed()).isTrue();
      assertThat(producers.get(1).history())
          .extracting(record -> new String(record.key()))
          .containsExactly("billing|attempts|" + row(1));
    }
  }

  private static MockProducer<byte[], byte[]> producer(List<MockProducer<byte[], byte[]>> all) {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    all.add(producer);
    return producer;
  }

  private Batch batch() {
    var cell = new Delivery(100, 3, 1, row(1), "BASE", false, 10, null);
    partition.read(cell, true);
    return Batch.of(partition, List.of(cell), Instant.EPOCH);
  }
}
