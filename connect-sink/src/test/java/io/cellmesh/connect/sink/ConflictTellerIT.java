package io.cellmesh.connect.sink;

import static io.cellmesh.connect.sink.SinkStack.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;

/** A running sink tells what stands in the ledgers. */
class ConflictTellerIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String ELSEWHERE = "7f000000000040008000000000000001";

  private final SinkStack stack = SinkStack.shared();
  private final Rejections rejections = new Rejections(stack);

  @Test
  void a_conflict_is_told_once_when_the_minion_has_it_and_then_its_bytes_go() throws Exception {
    var minion = stack.cluster("c2").minions().get(0);
    minion.execute("STOP REPLICA");
    var row = stack.rowOf("c2");
    decide(row, ELSEWHERE, 7, hex("key"), hex("the record"));
    await().during(Duration.ofSeconds(4)).atMost(SOON).until(() -> told(row).isEmpty());

    minion.execute("START REPLICA");
    await().atMost(SOON).until(() -> untold(row) == 0);
    await().during(Duration.ofSeconds(3)).atMost(SOON).until(() -> told(row).size() == 1);

    var letter = told(row).get(0);
    assertThat(letter.value()).isEqualTo("the record".getBytes(UTF_8));
    assertThat(Rejections.error(letter, "offset")).isEqualTo("7");
    assertThat(Rejections.error(letter, "topic")).isEqualTo("trips.cells");
    assertThat(Rejections.header(letter, "__cellmesh.rejected.topic.id"))
        .isEqualTo("fwAAAAAAQACAAAAAAAAAAQ");
    assertThat(Rejections.reason(letter))
        .contains(row + "/BASE/1", "kept sha256:aa", "refused sha256:bb", "in dc1", "in dc2");
    assertThat(letter.headers().lastHeader("__cellmesh.rejected.rebuilt")).isNull();
    assertThat(query(row, "SELECT COUNT(record_value) FROM trips_meta.conflict")).isEqualTo("0");
  }

  @Test
  void a_record_that_the_ledger_does_not_have_is_fetched_from_its_topic_to_the_byte()
      throws Exception {
    var row = stack.rowOf("c1");
    var sent = stack.produce(row, json(row, "BASE", 1, "{\"fare\" :  12.950}")).get();
    decide(row, stack.topicId("trips.cells"), sent, "NULL", "NULL");
    await().atMost(SOON).until(() -> told(row).size() == 1);

    var letter = told(row).get(0);
    assertThat(new String(letter.value(), UTF_8)).contains("{\"fare\" :  12.950}");
    assertThat(Rejections.header(letter, "__cellmesh.rejected.timestamp"))
        .isEqualTo(String.valueOf(sent.timestamp()));
    assertThat(letter.headers().lastHeader("__cellmesh.rejected.rebuilt")).isNull();
  }

  @Test
  void a_record_that_is_gone_is_told_by_its_key_and_says_so() throws Exception {
    var row = stack.rowOf("c3");
    decide(row, ELSEWHERE, 3, "NULL", "NULL");
    await().atMost(SOON).until(() -> told(row).size() == 1);

    var letter = told(row).get(0);
    assertThat(letter.key()).isEqualTo(row.toString().getBytes(UTF_8));
    assertThat(letter.value()).isNull();
    assertThat(Rejections.header(letter, "__cellmesh.rejected.rebuilt")).isEqualTo("true");
  }

  private void decide(UUID row, String topicId, RecordMetadata sent, String key, String value) {
    decide(row, topicId, sent.offset(), key, value);
  }

  private void decide(UUID row, String topicId, long offset, String key, String value) {
    var partition = stack.topology().shards().partitionOf(stack.topology().shards().of(row));
    var record =
        value.equals("NULL") ? "NULL, NULL, NULL, NULL" : key + ", " + value + ", x'0100000000', 5";
    stack
        .masterOf(row)
        .execute(
            """
            INSERT INTO trips_meta.conflict (topic_id, topic_kind, partition_no, record_offset,
              row_key, column_name, ref_key, kept_digest, refused_digest, kept_origin,
              refused_origin, record_key, record_value, record_headers, record_timestamp, decided_at)
            VALUES (x'%s', 'cells', %d, %d, UUID_TO_BIN('%s'), 'BASE', 1, x'%s', x'%s', 'dc1', 'dc2',
              %s, UTC_TIMESTAMP(6))
            """
                .formatted(
                    topicId, partition, offset, row, "aa".repeat(32), "bb".repeat(32), record));
  }

  private static String hex(String text) {
    return "x'" + HexFormat.of().formatHex(text.getBytes(UTF_8)) + "'";
  }

  private long untold(UUID row) {
    return Long.parseLong(
        query(row, "SELECT COUNT(*) FROM trips_meta.conflict WHERE told_at IS NULL"));
  }

  private String query(UUID row, String sql) {
    return stack.masterOf(row).query(sql);
  }

  /** What was told of a row. */
  private List<ConsumerRecord<byte[], byte[]>> told(UUID row) {
    return rejections.all().stream()
        .filter(r -> Rejections.reason(r).contains(row.toString()))
        .toList();
  }
}
