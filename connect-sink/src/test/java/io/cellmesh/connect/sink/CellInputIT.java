package io.cellmesh.connect.sink;

import static io.cellmesh.connect.sink.SinkStack.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What becomes of a record in an ingest topic, with every server well. */
class CellInputIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final SinkStack stack = SinkStack.shared();
  private final Rejections rejections = new Rejections(stack);

  @Test
  void a_cell_becomes_a_row_of_its_shard_and_its_copy_goes() throws Exception {
    var row = stack.rowOf("c1");
    stack.produce(row, json(row, "BASE", 1, "{\"fare\":12.95}")).get();
    await().atMost(SOON).until(() -> stack.cells(row) == 1);
    await().atMost(SOON).until(() -> stack.buffered("c1") == 0);
  }

  @Test
  void an_equal_body_is_a_success_and_another_body_a_conflict_that_changes_nothing()
      throws Exception {
    var row = stack.rowOf("c2");
    // Side by side, so that they meet in one batch.
    stack.produce(row, json(row, "BASE", 1, "{\"a\":1,\"b\":2}"));
    stack.produce(row, json(row, "BASE", 1, "{\"b\":2.0,\"a\":1}"));
    var second = stack.produce(row, json(row, "BASE", 1, "{\"a\":9}")).get();
    stack.produce(row, json(row, "BASE", 2, "{}")).get();
    await().atMost(SOON).until(() -> stack.cells(row) == 2);
    var reason = rejections.reasonOf(second);
    assertThat(reason)
        .contains(row + "/BASE/1")
        .containsPattern("kept sha256:[0-9a-f]{64}, refused sha256:[0-9a-f]{64}");
    assertThat(
            stack
                .masterOf(row)
                .query(
                    "SELECT GROUP_CONCAT(LOWER(HEX(topic_id)), '@', partition_no, '@',"
                        + " record_offset, '@', kept_origin, '@', refused_origin)"
                        + " FROM trips_meta.conflict WHERE row_key = UUID_TO_BIN('%s')"
                            .formatted(row)))
        .as("the ledger")
        .isEqualTo(
            "%s@%d@%d@dc1@dc1"
                .formatted(stack.topicId("trips.cells"), second.partition(), second.offset()));
  }

  @Test
  void base_in_capitals_and_in_small_letters_are_two_columns() throws Exception {
    var row = stack.rowOf("c3");
    stack.produce(row, json(row, "BASE", 1, "1")).get();
    stack.produce(row, json(row, "base", 1, "2")).get();
    await().atMost(SOON).until(() -> stack.cells(row) == 2);
  }

  @Test
  void bad_input_is_rejected_with_its_reason_and_the_next_good_cell_arrives() throws Exception {
    var row = stack.rowOf("c1");
    var partition = stack.topology().shards().partitionOf(stack.topology().shards().of(row));
    var key = row.toString().getBytes(UTF_8);
    var wrong = (partition + 1) % stack.topology().shards().partitions();
    var good = json(row, "BASE", 1, "1").getBytes(UTF_8);
    var sent =
        List.of(
            stack.produce("trips.cells", partition, key, "not json".getBytes(UTF_8)).get(),
            stack.produce("trips.cells", partition, key, null).get(),
            stack.produce("trips.cells", wrong, key, good).get(),
            stack.produce(row, json(row, "BASE", 1, "\"" + "x".repeat((1 << 20) - 1) + "\"")).get(),
            stack.produce("trips.mesh", partition, key, good).get());
    var reasons = new ArrayList<String>();
    for (var record : sent) {
      reasons.add(rejections.reasonOf(record));
    }
    assertThat(reasons.get(0)).contains("record: not JSON");
    assertThat(reasons.get(1)).contains("its value is null");
    assertThat(reasons.get(2)).contains("murmur2").contains(row.toString());
    assertThat(reasons.get(3)).contains("over the limit of 1048576");
    assertThat(reasons.get(4)).contains("origin: missing");
    stack.produce("trips.cells", partition, key, good).get();
    await().atMost(SOON).until(() -> stack.cells(row) == 1);
  }

  @Test
  void a_compressed_record_over_every_limit_is_told_to_the_byte_and_stops_nothing()
      throws Exception {
    var row = stack.rowOf("c1");
    for (int megabytes : List.of(4, 8)) {
      var value = json(row, "BASE", 1, '"' + "x".repeat(megabytes * 1_150_000) + '"').getBytes();
      var told = rejections.of(stack.produceCompressed(row, value));
      assertThat(told.value()).isEqualTo(value);
      assertThat(Rejections.reason(told)).contains("over the limit");
    }
    stack.produce(row, json(row, "BASE", 1, "1")).get();
    await().atMost(SOON).until(() -> stack.cells(row) == 1);
  }

  @Test
  void a_record_that_trips_rejected_can_not_take_is_told_without_its_value() throws Exception {
    var row = stack.rowOf("c2");
    var noise = new byte[(4 << 20) - 300];
    new Random(1).nextBytes(noise);
    var larger = json(row, "BASE", 1, '"' + "y".repeat(40 << 20) + '"').getBytes();
    for (var value : List.of(noise, larger)) {
      var told = rejections.of(stack.produceCompressed(row, value));
      assertThat(told.value()).isNull();
      assertThat(told.key()).isEqualTo(row.toString().getBytes());
      assertThat(told.headers().lastHeader("__cellmesh.rejected.value.size").value())
          .isEqualTo(String.valueOf(value.length).getBytes());
      assertThat(told.headers().lastHeader("__cellmesh.rejected.value.sha256").value())
          .isEqualTo(sha256(value).getBytes());
    }
    stack.produce(row, json(row, "BASE", 1, "1")).get();
    await().atMost(SOON).until(() -> stack.cells(row) == 1);
  }

  private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
