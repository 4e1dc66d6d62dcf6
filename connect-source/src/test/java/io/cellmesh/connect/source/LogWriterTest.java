package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.LogOffset.Place;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cell.UuidBytes;
import io.debezium.data.Envelope;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class LogWriterTest {
  private static final Envelope ENVELOPE = DebeziumRows.envelope("trips.dc1.c1.trips_0042.entity");
  private static final Map<String, String> PARTITION = Map.of("server", "trips.dc1.c1");
  private static final LogOffset BEFORE = LogOffset.within("a:1-80", new Place(42, 811));
  private static final LogOffset OFFSET = LogOffset.within("a:1-80", new Place(42, 812));
  private static final UUID ROW_KEY = UUID.fromString("0b6b5ba4-27a6-43a3-9e3c-0f3f2b5e7f00");
  private static final Instant CREATED_AT = Instant.parse("2026-01-31T12:00:00.123456Z");

  private final LogWriter writer = writer(ShardTopics.PARTITION);

  @Test
  void a_created_row_becomes_a_record_in_the_partition_of_its_shard() {
    var record = write(create(row()));

    assertThat(record.topic()).isEqualTo("trips.log");
    assertThat(record.kafkaPartition()).isEqualTo(42 % 16);
    assertThat(record.timestamp()).isEqualTo(CREATED_AT.toEpochMilli());
    assertThat(text(record.key())).isEqualTo(ROW_KEY.toString());
    assertThat(text(record.value()))
        .isEqualTo(
            """
            {"v":1,"row_key":"%s","column_name":"BASE","ref_key":-7,"body":{"fare":12.5},\
            "origin":"dc1","origin_id":812,"shard":42,"added_id":812,\
            "created_at":"2026-01-31T12:00:00.123456Z"}"""
                .formatted(ROW_KEY));
  }

  @Test
  void a_clock_of_mysqls_that_is_far_off_gives_no_time_that_kafka_refuses() {
    long before = System.currentTimeMillis();

    assertThat(createdAt("2999-01-01T00:00:00Z").timestamp())
        .isBetween(before, System.currentTimeMillis());
    assertThat(text(createdAt("2999-01-01T00:00:00Z").value())).contains("\"created_at\":\"2999-");
    assertThat(createdAt("1000-01-01T00:00:00Z").timestamp()).isZero();
  }

  @Test
  void a_shard_can_have_a_topic_of_its_own() {
    var record = write(writer(ShardTopics.TOPIC), create(row()));

    assertThat(record.topic()).isEqualTo("trips.log.0042");
    assertThat(record.kafkaPartition()).isZero();
  }

  @Test
  void a_column_with_a_topic_of_its_own_gets_the_same_record_there_right_behind() {
    for (var shape : ShardTopics.values()) {
      var records =
          records(writer(shape, "STATUS", "BASE"), create(row()).created(), Optional.of("now"));

      assertThat(records).hasSize(2);
      var log = records.get(0);
      var trigger = records.get(1);
      assertThat(log.topic()).startsWith("trips.log");
      assertThat(trigger.topic()).isEqualTo("trips.trigger.BASE");
      assertThat(trigger.kafkaPartition()).as("%s", shape).isEqualTo(42 % 16);
      assertThat(trigger.key()).isEqualTo(log.key());
      assertThat(trigger.value()).isEqualTo(log.value());
      assertThat(trigger.timestamp()).isEqualTo(log.timestamp());
      assertThat(headers(trigger)).isEqualTo(headers(log)).contains("rebuilt=now");
      assertThat(trigger.sourcePartition()).isEqualTo(log.sourcePartition());
    }
  }

  @Test
  void a_column_of_another_name_has_the_logs_record_alone() {
    var other = writer(ShardTopics.PARTITION, "STATUS", "base");

    assertThat(records(other, create(row()).created(), Optional.empty()))
        .extracting(SourceRecord::topic)
        .containsExactly("trips.log");
    assertThat(other.count(create(row()).created())).isEqualTo(1);
    assertThat(other.count(create(row().put("column_name", "STATUS")).created())).isEqualTo(2);
  }

  @Test
  void of_two_records_only_the_second_moves_the_offset() {
    assertThat(
            records(
                writer(ShardTopics.PARTITION, "BASE"), create(row()).created(), Optional.empty()))
        .<Map<String, ?>>extracting(SourceRecord::sourceOffset)
        .isEqualTo(List.of(BEFORE.stored(), OFFSET.stored()));
  }

  @Test
  void a_record_of_a_rebuild_is_stamped_beside_its_other_headers() {
    var log = create(row()).created();

    var stamped = records(writer, log, Optional.of("2026-11-26T01:30:00Z")).get(0);
    assertThat(headers(stamped))
        .isEqualTo("column=BASE origin=dc1 shard=42 added_id=812 rebuilt=2026-11-26T01:30:00Z ");
    assertThat(stamped.value()).isEqualTo(records(writer, log, Optional.empty()).get(0).value());
  }

  @Test
  void the_offset_says_behind_which_row_of_which_transaction_the_record_stands() {
    var record = write(create(row()));

    assertThat(record.sourcePartition()).isEqualTo(PARTITION);
    assertThat(record.sourceOffset())
        .isEqualTo(Map.of("gtids", "a:1-80", "shard", 42, "added_id", 812L));
  }

  @Test
  void a_cell_of_another_data_centre_keeps_its_origin_id() {
    var record = write(create(row().put("origin", "dc2").put("origin_id", 5L)));

    assertThat(text(record.value())).contains("\"origin\":\"dc2\",\"origin_id\":5,");
    assertThat(text(record.headers().lastWithName("origin").value())).isEqualTo("dc2");
  }

  @Test
  void headers_are_plain_text_in_bytes() {
    assertThat(headers(write(create(row()))))
        .isEqualTo("column=BASE origin=dc1 shard=42 added_id=812 ");
  }

  @Test
  void key_and_value_are_bytes_as_the_byte_array_converter_wants_them() {
    var record = write(create(row()));

    assertThat(record.keySchema()).isEqualTo(Schema.BYTES_SCHEMA);
    assertThat(record.valueSchema()).isEqualTo(Schema.BYTES_SCHEMA);
    assertThat(record.key()).isInstanceOf(byte[].class);
    assertThat(record.value()).isInstanceOf(byte[].class);
  }

  @Test
  void an_update_a_deletion_and_a_truncation_are_no_creations() {
    assertThat(event(ENVELOPE.update(row(), row(), source(), CREATED_AT)).isCreation()).isFalse();
    assertThat(event(ENVELOPE.delete(row(), source(), CREATED_AT)).isCreation()).isFalse();
    assertThat(event(ENVELOPE.truncate(source(), CREATED_AT)).isCreation()).isFalse();
  }

  @Test
  void what_is_no_row_is_no_event() {
    var heartbeat =
        new SourceRecord(PARTITION, Map.of(), "__debezium-heartbeat", Schema.STRING_SCHEMA, "beat");

    assertThat(EntityEvent.of(heartbeat)).isEmpty();
  }

  @Test
  void a_body_that_can_not_be_decoded_stops_the_task_with_the_cell_named_and_the_body_unsaid() {
    var damaged =
        create(row().put("body", ByteBuffer.wrap("secret".getBytes(StandardCharsets.UTF_8))));

    assertThatThrownBy(() -> write(damaged))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining(ROW_KEY + "/BASE/-7")
        .hasMessageContaining("shard 42, added_id 812")
        .hasMessageContaining("`cellmesh log rebuild --cluster c2`")
        .hasMessageNotContaining("secret");
    for (int length = 0; length < 3; length++) {
      var cut = create(row().put("body", ByteBuffer.wrap(new byte[length])));
      assertThatThrownBy(() -> write(cut))
          .as("%d bytes", length)
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("added_id 812");
    }
  }

  @Test
  void an_event_describes_itself_by_the_cells_key() {
    var update = event(ENVELOPE.update(row(), row(), source(), CREATED_AT));

    assertThat(update.describe())
        .isEqualTo("UPDATE of " + ROW_KEY + "/BASE/-7 (shard 42, added_id 812)");
  }

  private static LogWriter writer(ShardTopics shape, String... triggers) {
    return new LogWriter(TopologyYaml.parse(Samples.TOPOLOGY), shape, List.of(triggers), PARTITION);
  }

  private static List<SourceRecord> records(
      LogWriter writer, LogRecord log, Optional<String> rebuilt) {
    var records = new ArrayList<SourceRecord>();
    writer.addTo(records, log, rebuilt, writer.value(log), BEFORE.stored(), OFFSET.stored());
    return records;
  }

  private static String headers(SourceRecord record) {
    var headers = new StringBuilder();
    for (var header : record.headers()) {
      assertThat(header.schema()).isEqualTo(Schema.BYTES_SCHEMA);
      headers.append(header.key()).append('=').append(text(header.value())).append(' ');
    }
    return headers.toString();
  }

  private SourceRecord write(EntityEvent event) {
    return write(writer, event);
  }

  private static SourceRecord write(LogWriter writer, EntityEvent event) {
    return records(writer, event.created(), Optional.empty()).get(0);
  }

  private SourceRecord createdAt(String time) {
    var row = create(row()).created();
    var log = new LogRecord(row.cell(), row.shard(), row.addedId(), Instant.parse(time));
    return records(writer, log, Optional.empty()).get(0);
  }

  private static EntityEvent create(Struct row) {
    return event(ENVELOPE.create(row, source(), CREATED_AT));
  }

  private static EntityEvent event(Struct value) {
    return EntityEvent.of(
            new SourceRecord(PARTITION, Map.of(), "trips_0042.entity", ENVELOPE.schema(), value))
        .orElseThrow();
  }

  private static Struct source() {
    return new Struct(DebeziumRows.SOURCE).put("db", "trips_0042");
  }

  private static Struct row() {
    return new Struct(DebeziumRows.ROW)
        .put("added_id", 812L)
        .put("row_key", ByteBuffer.wrap(UuidBytes.of(ROW_KEY)))
        .put("column_name", "BASE")
        .put("ref_key", -7L)
        .put("body", ByteBuffer.wrap(stored("{\"fare\": 12.5}")))
        .put("origin", "dc1")
        .put("created_at", CREATED_AT.getEpochSecond() * 1_000_000 + CREATED_AT.getNano() / 1_000);
  }

  private static byte[] stored(String json) {
    try {
      return Body.ofJson(json).stored();
    } catch (InvalidCellException e) {
      throw new AssertionError(e);
    }
  }

  private static String text(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }
}
