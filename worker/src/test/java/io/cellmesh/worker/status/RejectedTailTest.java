package io.cellmesh.worker.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Shards;
import io.cellmesh.deployment.KafkaAccess;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class RejectedTailTest {
  private static final Shards SHARDS = new Shards(4, 2);

  private final RejectedTail tail =
      new RejectedTail(KafkaAccess.plain("nowhere:1"), "trips.rejected", SHARDS);

  @Test
  void it_keeps_the_newest_and_no_more_however_many_there_are() {
    for (int i = 0; i < 5_000; i++) {
      tail.add(record(i, "key " + i, Instant.now()));
    }
    assertThat(tail.newest()).hasSize(RejectedTail.MOST);
    assertThat(tail.newest().get(0).key()).isEqualTo("key 4999");
  }

  @Test
  void it_counts_the_last_hour_by_shard_and_forgets_what_is_older() {
    var row = UUID.randomUUID();
    var now = Instant.now();
    tail.add(record(0, row.toString(), now.minusSeconds(2 * 3600)));
    tail.add(record(1, row.toString(), now));
    tail.add(record(2, row.toString(), now));
    tail.add(record(3, null, now));
    assertThat(tail.since(now.minusSeconds(3600)))
        .containsEntry(SHARDS.of(row), 2)
        .containsEntry(-1, 1)
        .hasSize(2);
    assertThat(tail.since(now.minusSeconds(10 * 3600)).values()).as("what is older").hasSize(2);
  }

  @Test
  void a_record_is_told_with_its_place_and_reason_shortened_and_printable() {
    var told = new RejectedTail.Rejected[1];
    tail.add(record(7, "x\u0000" + "y".repeat(2_000), Instant.EPOCH));
    told[0] = tail.newest().get(0);
    assertThat(told[0].place()).isEqualTo("trips.rejected-0@7");
    assertThat(told[0].from()).contains("trips.cells-3@17");
    assertThat(told[0].reason()).isEqualTo("body: not a JSON value");
    assertThat(told[0].row()).isEqualTo(Optional.empty());
    assertThat(told[0].key()).hasSizeLessThan(600).doesNotContain("\u0000");
  }

  private static ConsumerRecord<byte[], byte[]> record(long offset, String key, Instant at) {
    var headers = new RecordHeaders();
    headers.add("__connect.errors.topic", bytes("trips.cells"));
    headers.add("__connect.errors.partition", bytes("3"));
    headers.add("__connect.errors.offset", bytes("17"));
    headers.add("__connect.errors.exception.message", bytes("body: not a JSON value"));
    return new ConsumerRecord<>(
        "trips.rejected",
        0,
        offset,
        at.toEpochMilli(),
        TimestampType.CREATE_TIME,
        0,
        0,
        key == null ? null : bytes(key),
        bytes("{"),
        headers,
        Optional.empty());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
