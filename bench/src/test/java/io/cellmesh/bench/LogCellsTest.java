package io.cellmesh.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.LogRecord;
import java.util.ArrayList;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class LogCellsTest {
  private static final int SHARDS = 64;

  @Test
  void every_shard_has_a_cell_in_turn_with_the_ids_one_by_one() throws Exception {
    try (var cells = new LogCells();
        var reader = EnvelopeReader.lenient()) {
      for (int i = 0; i < 3 * SHARDS; i++) {
        var sent = cells.next();
        var record = reader.readLog(sent.key(), sent.value());

        assertThat(record.shard()).isEqualTo(i % SHARDS);
        assertThat(record.addedId()).isEqualTo(i / SHARDS + 1);
        assertThat(sent.partition()).isEqualTo(record.shard() % 16);
      }
    }
  }

  @Test
  void the_headers_say_what_the_envelope_says() throws Exception {
    try (var cells = new LogCells();
        var reader = EnvelopeReader.lenient()) {
      var sent = cells.next();
      var record = reader.readLog(sent.key(), sent.value());

      assertThat(header(sent, Envelope.COLUMN_HEADER)).isEqualTo("BASE");
      assertThat(header(sent, Envelope.ORIGIN_HEADER)).isEqualTo("dc1");
      assertThat(header(sent, Envelope.SHARD_HEADER)).isEqualTo("" + record.shard());
      assertThat(header(sent, Envelope.ADDED_ID_HEADER)).isEqualTo("" + record.addedId());
    }
  }

  @Test
  void rows_come_again_with_a_higher_ref_key() throws Exception {
    try (var cells = new LogCells();
        var reader = EnvelopeReader.lenient()) {
      var ofOneShard = new ArrayList<LogRecord>();
      for (int i = 0; i < 1_001 * SHARDS; i++) {
        var sent = cells.next();
        if (i % SHARDS == 0) {
          ofOneShard.add(reader.readLog(sent.key(), sent.value()));
        }
      }
      var first = ofOneShard.get(0).cell().key();
      var again = ofOneShard.get(1_000).cell().key();

      assertThat(again.rowKey()).isEqualTo(first.rowKey());
      assertThat(again.refKey()).isEqualTo(first.refKey() + 1);
    }
  }

  private static String header(ProducerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }
}
