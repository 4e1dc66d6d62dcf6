package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.wire.Batch;
import io.cellmesh.deployment.wire.BatchWriter;
import io.cellmesh.deployment.wire.Stretch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What a data centre sends of its log. */
class OwnCellsTest {
  private static final Shards SHARDS = new Shards(64, 1);
  private static final TopicPartition AT = new TopicPartition(Logs.TOPIC, 0);

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
  private final TopicBatches cells =
      new TopicBatches(consumer, Logs.TOPIC, new OwnCells("dc2"), Map.of(0, 3L));

  OwnCellsTest() {
    consumer.updateBeginningOffsets(Map.of(AT, 0L));
    consumer.updateEndOffsets(Map.of(AT, 3L));
  }

  @Test
  void only_cells_of_the_own_origin_go_and_the_others_are_counted() {
    add(Logs.cell("dc2", 1, 3, SHARDS));
    add(Logs.cell("dc1", 1, 4, SHARDS));
    add(withoutHeader(Logs.cell("dc3", 1, 5, SHARDS)));
    add(withoutHeader(Logs.cell("dc2", 2, 6, SHARDS)));

    var batch = poll();
    assertThat(batch.records()).extracting(ConsumerRecord::offset).containsExactly(3L, 6L);
    assertThat(batch.others()).isEqualTo(Map.of("dc1", 1L, "dc3", 1L));
    assertThat(batch.stretches()).containsExactly(new Stretch(0, 3, 7, 7));
    assertThat(batch.newest()).isEqualTo(1_006);
  }

  @Test
  void what_is_damaged_goes_along_so_that_it_is_set_aside_where_it_is_missed() {
    add(Logs.record(0, 3, new byte[] {1}, new byte[] {2}, Optional.empty()));
    add(Logs.record(0, 4, new byte[] {1}, new byte[] {2}, Optional.of("dc2")));
    var own = Logs.cell("dc2", 1, 5, SHARDS);
    add(Logs.record(0, 5, own.key(), own.value(), Optional.of("dc1")));

    assertThat(poll().records()).hasSize(3);
  }

  @Test
  void what_no_batch_has_room_for_goes_along_by_its_size_and_is_set_aside() {
    add(Logs.record(0, 3, new byte[] {1}, new byte[17 << 20], Optional.of("dc2")));
    var crowded = Logs.record(0, 4, new byte[] {1}, new byte[] {2}, Optional.of("dc2"));
    crowded.headers().add("n".repeat(70_000), new byte[0]);
    add(crowded);
    add(Logs.cell("dc2", 1, 5, SHARDS));
    add(Logs.record(0, 6, new byte[] {1}, new byte[] {2}, Optional.of("o".repeat(70_000))));

    var batch = poll();
    assertThat(BatchWriter.write(batch)).hasSizeLessThan(10_000);
    assertThat(batch.records()).extracting(ConsumerRecord::offset).containsExactly(3L, 4L, 5L);

    var terms = new LinkTerms("dc2", SHARDS, Set.of("dc1", "dc2"), true);
    var intake = new Intake(terms, new Topics("trips"), new LinkFigures());
    var told = intake.take(batch.records().get(0), 0).orElseThrow();
    assertThat(told.topic()).isEqualTo("trips.rejected");
    assertThat(header(told, "__cellmesh.rejected.value.size")).isEqualTo("17825792");
    assertThat(header(told, "__connect.errors.exception.message")).contains("larger than");
  }

  private static String header(ProducerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  @Test
  void where_nothing_comes_a_batch_still_says_how_far_it_is() {
    var batch = poll();

    assertThat(batch.records()).isEmpty();
    assertThat(batch.newest()).isEqualTo(Batch.NONE);
    assertThat(batch.stretches()).containsExactly(new Stretch(0, 3, 3, 3));
  }

  @Test
  void a_batch_ends_with_the_record_that_fills_it_and_the_next_begins_there() {
    var large = new byte[TopicBatches.CUT_BYTES / 2];
    for (int offset = 3; offset < 8; offset++) {
      add(Logs.record(0, offset, new byte[] {1}, large, Optional.of("dc2")));
    }

    assertThat(cells.poll(Duration.ZERO))
        .extracting(batch -> batch.stretches().get(0))
        .containsExactly(new Stretch(0, 3, 5, 8), new Stretch(0, 5, 7, 8), new Stretch(0, 7, 8, 8));
  }

  private Batch poll() {
    var batches = cells.poll(Duration.ZERO);
    assertThat(batches).hasSize(1);
    return batches.get(0);
  }

  private void add(ConsumerRecord<byte[], byte[]> record) {
    consumer.addRecord(record);
    consumer.updateEndOffsets(Map.of(AT, record.offset() + 1));
  }

  private static ConsumerRecord<byte[], byte[]> withoutHeader(
      ConsumerRecord<byte[], byte[]> record) {
    return Logs.record(
        record.partition(), record.offset(), record.key(), record.value(), Optional.empty());
  }
}
