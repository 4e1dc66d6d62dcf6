package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.operations.mesh.RelayPlan.Gap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RelayedPartitionTest {
  private static final Shards SHARDS = new Shards(2, 1);
  private static final UUID ROW = new UUID(1, 2);
  private static final int SHARD = SHARDS.of(ROW);

  private final MockProducer<byte[], byte[]> dc3 = producer(true);
  private final MockProducer<byte[], byte[]> dc4 = producer(true);
  private final EnvelopeReader envelopes = EnvelopeReader.lenient();

  @AfterEach
  void close() {
    envelopes.close();
  }

  @Test
  void each_gets_what_it_lacks_once_and_in_the_origins_order() throws Exception {
    var partition = partition(FoldSource.MESH, gap("dc3", 2), gap("dc4", Holdings.NONE));
    for (long id : new long[] {1, 2, 3, 2, 3, 5, 4, 5, 7}) {
      partition.take(mesh("dc2", id));
    }
    assertThat(ids(dc3)).containsExactly(3L, 5L, 7L);
    assertThat(ids(dc4)).containsExactly(1L, 2L, 3L, 5L, 7L);
  }

  @Test
  void cells_of_others_and_of_other_shards_and_what_is_none_stay_where_they_are() throws Exception {
    var partition =
        partition(
            FoldSource.MESH,
            gap("dc3", 2),
            new Gap(1 - SHARD, "dc4", "dc1", FoldSource.MESH, 0, 0, 9));
    partition.take(mesh("dc1", 8));
    partition.take(new ConsumerRecord<>("trips.mesh", 0, 0, null, new byte[] {1}));
    partition.take(new ConsumerRecord<>("trips.mesh", 0, 0, new byte[] {1}, null));
    partition.take(mesh("dc2", 9));
    assertThat(ids(dc3)).containsExactly(9L);
    assertThat(dc4.history()).isEmpty();
  }

  @Test
  void a_record_of_the_log_becomes_one_of_the_mesh() throws Exception {
    var cell = cell("dc2", 812);
    var log = Envelope.write(new LogRecord(cell, SHARD, 4_711, Instant.EPOCH));
    partition(FoldSource.LOG, gap("dc3", 2))
        .take(new ConsumerRecord<>("trips.log", 0, 0, Envelope.key(cell.key()), log));

    var record = dc3.history().get(0);
    assertThat(record.topic()).isEqualTo("trips.mesh");
    assertThat(record.partition()).isZero();
    var relayed = envelopes.readMeshCell(record.key(), record.value());
    assertThat(RangeCells.Found.of(relayed)).isEqualTo(RangeCells.Found.of(cell));
    assertThat(relayed.origin()).isEqualTo(cell.origin());
    assertThat(new String(record.headers().lastHeader("origin").value())).isEqualTo("dc2");
    assertThat(new String(record.headers().lastHeader("column").value())).isEqualTo("BASE");
  }

  @Test
  void once_a_cell_is_refused_none_is_sent_behind_it() throws Exception {
    var kafka = producer(false);
    var writer = writer(kafka, Duration.ofMinutes(1));
    writer.write(0, cell("dc2", 1));
    kafka.errorNext(new IllegalStateException("larger than the topic allows"));
    assertThatThrownBy(() -> writer.write(0, cell("dc2", 2)))
        .isInstanceOf(KafkaException.class)
        .hasMessage("trips.mesh: larger than the topic allows");
    assertThatThrownBy(writer::flush).isInstanceOf(KafkaException.class);
    assertThat(kafka.history()).hasSize(1);
    assertThat(kafka.closed()).isTrue();
  }

  @Test
  void a_kafka_that_takes_nothing_is_told_and_not_waited_for_without_end() throws Exception {
    var writer = writer(producer(false), Duration.ofMillis(1));
    writer.flush();
    writer.write(0, cell("dc2", 1));
    assertThatThrownBy(writer::flush)
        .isInstanceOf(KafkaException.class)
        .hasMessageStartingWith("trips.mesh: Kafka has not taken the last cells for")
        .hasMessageEndingWith("the same again goes on");
  }

  private static RelayWriter writer(MockProducer<byte[], byte[]> kafka, Duration patience) {
    return new RelayWriter(kafka, "trips.mesh", false, patience);
  }

  private RelayedPartition partition(FoldSource source, Gap... gaps) {
    var writers =
        Map.of(
            "dc3", writer(dc3, Duration.ofMinutes(1)), "dc4", writer(dc4, Duration.ofMinutes(1)));
    return new RelayedPartition(source, "dc2", SHARDS, List.of(gaps), writers, envelopes);
  }

  private static Gap gap(String to, long after) {
    return new Gap(SHARD, to, "dc1", FoldSource.MESH, 0, after, 9);
  }

  private List<Long> ids(MockProducer<byte[], byte[]> producer) throws Exception {
    var ids = new ArrayList<Long>();
    for (var record : producer.history()) {
      ids.add(envelopes.readMeshCell(record.key(), record.value()).origin().orElseThrow().id());
    }
    return ids;
  }

  private static ConsumerRecord<byte[], byte[]> mesh(String origin, long id) throws Exception {
    var cell = cell(origin, id);
    return new ConsumerRecord<>("trips.mesh", 0, 0, Envelope.key(cell.key()), Envelope.write(cell));
  }

  private static Cell cell(String origin, long id) throws Exception {
    return new Cell(
        new CellKey(ROW, "BASE", id), Body.ofJson("{}"), Optional.of(new Origin(origin, id)));
  }

  private static MockProducer<byte[], byte[]> producer(boolean answers) {
    return new MockProducer<>(answers, null, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
