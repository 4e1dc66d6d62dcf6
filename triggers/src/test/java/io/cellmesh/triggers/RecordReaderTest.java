package io.cellmesh.triggers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordReaderTest {
  private final RecordReader reader = new RecordReader(64);

  @AfterEach
  void close() {
    reader.close();
  }

  @Test
  void a_record_is_read_by_its_headers_or_without_them_by_its_envelope() throws Exception {
    assertThat(reader.read(withHeaders("63")).shard).isEqualTo(63);
    assertThat(reader.read(withoutHeaders(63)).shard).isEqualTo(63);
  }

  @ParameterizedTest
  @ValueSource(ints = {64, Integer.MAX_VALUE})
  void a_shard_that_is_none_makes_no_room_for_itself(int shard) {
    assertThatThrownBy(() -> reader.read(withHeaders(Integer.toString(shard))))
        .isInstanceOf(InvalidCellException.class)
        .hasMessage("shard = \"%d\": is not one of 64".formatted(shard));
    assertThatThrownBy(() -> reader.read(withoutHeaders(shard)))
        .isInstanceOf(InvalidCellException.class);
  }

  private static ConsumerRecord<byte[], byte[]> withHeaders(String shard) throws Exception {
    var record = withoutHeaders(3);
    record.headers().add(Envelope.COLUMN_HEADER, bytes("BASE"));
    record.headers().add(Envelope.SHARD_HEADER, bytes(shard));
    record.headers().add(Envelope.ADDED_ID_HEADER, bytes("7"));
    return record;
  }

  private static ConsumerRecord<byte[], byte[]> withoutHeaders(int shard) throws Exception {
    var key = new CellKey(new UUID(0, 1), "BASE", 1);
    var cell = new Cell(key, Body.ofJson("{}"), Optional.of(new Origin("dc1", 7)));
    var log = new LogRecord(cell, shard, 7, Instant.EPOCH);
    return new ConsumerRecord<>("trips.log", 0, 100, Envelope.key(key), Envelope.write(log));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
