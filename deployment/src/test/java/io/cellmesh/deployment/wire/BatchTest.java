package io.cellmesh.deployment.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** What is written is read; whatever is cut or changed on the way is noticed. */
class BatchTest {
  private static final String TOPIC = "trips.log";
  private static final int RUNS = 200;

  @Test
  void any_batch_is_read_as_it_was_written() throws IOException {
    var random = new Random(1);
    for (int run = 0; run < RUNS; run++) {
      var batches = List.of(any(random), any(random), any(random));
      var bytes = new ByteArrayOutputStream();
      for (var batch : batches) {
        bytes.write(BatchWriter.write(batch));
      }
      try (var reader = reader(bytes.toByteArray())) {
        for (var batch : batches) {
          assertThat(text(reader.next().orElseThrow())).as("run %d", run).isEqualTo(text(batch));
        }
        assertThat(reader.next()).isEmpty();
      }
    }
  }

  @Test
  void any_cut_within_a_batch_is_noticed() {
    var random = new Random(2);
    for (var batch : List.of(any(random), any(random), empty())) {
      var bytes = BatchWriter.write(batch);
      for (int length = 1; length < bytes.length; length++) {
        var cut = Arrays.copyOf(bytes, length);
        assertThatThrownBy(() -> reader(cut).next())
            .as("%d of %d bytes", length, bytes.length)
            .isInstanceOf(EOFException.class);
      }
    }
  }

  @Test
  void any_byte_that_was_changed_is_noticed_before_a_further_one_is_waited_for() {
    var random = new Random(3);
    for (var batch : List.of(any(random), any(random), empty())) {
      var bytes = BatchWriter.write(batch);
      for (int at = 0; at < bytes.length; at++) {
        var changed = bytes.clone();
        changed[at] ^= (byte) (1 + random.nextInt(255));
        assertThatThrownBy(() -> reader(changed).next())
            .as("byte %d of %d", at, bytes.length)
            .isInstanceOf(DamagedBatchException.class);
      }
    }
  }

  @Test
  void bytes_that_are_swapped_left_out_or_put_in_are_noticed() {
    var random = new Random(4);
    for (int run = 0; run < RUNS; run++) {
      var bytes = BatchWriter.write(any(random));
      int from = random.nextInt(bytes.length - 1);
      int to = from + 1 + random.nextInt(bytes.length - from - 1);
      var without = new ByteArrayOutputStream();
      without.write(bytes, 0, from);
      without.write(bytes, to, bytes.length - to);
      without.writeBytes(BatchWriter.write(empty()));
      if (from > 0) {
        assertThatThrownBy(() -> readAll(without.toByteArray()))
            .as("run %d: without %d to %d of %d", run, from, to, bytes.length)
            .isInstanceOf(IOException.class);
      }
      var twice = new ByteArrayOutputStream();
      twice.write(bytes, 0, to);
      twice.write(bytes, from, bytes.length - from);
      if (from > 0 && to < bytes.length) {
        assertThatThrownBy(() -> readAll(twice.toByteArray()))
            .as("run %d: %d to %d of %d twice", run, from, to, bytes.length)
            .isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void the_bytes_of_a_batch_stay_what_they_are() {
    var record = record(3, 7, "k", "v", Map.of("origin", "dc2"));
    var batch =
        new Batch(List.of(new Stretch(3, 5, 9, 12)), 1000, Map.of("dc1", 2L), List.of(record));

    assertThat(HexFormat.of().formatHex(BatchWriter.write(batch)))
        .isEqualTo(
            "434d4231" // CMB1
                + "00000000" // as it is
                + "00000064" // 100 bytes
                + "00000064"
                + "e092793f" // of the content
                + "0df21eb9" // of the header
                + "0001" // one stretch
                + "0003" // partition 3
                + "0000000000000005" // from
                + "0000000000000009" // next
                + "000000000000000c" // end
                + "00000000000003e8" // newest
                + "0001" // one other origin
                + "0003646331" // dc1
                + "0000000000000002"
                + "00000001" // one record
                + "0003" // partition 3
                + "0000000000000007" // offset
                + "0000000000000008" // time
                + "000000016b" // k
                + "0000000176" // v
                + "0001" // one header
                + "00066f726967696e" // origin
                + "00000003646332"); // dc2
  }

  @Test
  void what_follows_a_batch_within_its_frame_is_noticed() {
    assertThatThrownBy(() -> reader(Frame.of(new byte[30])).next())
        .isInstanceOf(DamagedBatchException.class)
        .hasMessageContaining("something follows a batch");
  }

  @Test
  void a_batch_that_is_too_large_is_refused_before_it_is_sent() {
    assertThatThrownBy(() -> Frame.of(new byte[Frame.MAX_BYTES + 1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a batch of 16777217 bytes; at most 16777216 go into one");
  }

  @Test
  void what_repeats_itself_is_sent_in_fewer_bytes() {
    var record = record(0, 0, "k", "{\"fare\":12.50}".repeat(1000), Map.of());
    var batch = new Batch(List.of(new Stretch(0, 0, 1, 1)), 0, Map.of(), List.of(record));
    assertThat(BatchWriter.write(batch)).hasSizeLessThan(500);
  }

  @Test
  void records_out_of_their_stretch_or_their_order_are_no_batch() {
    var stretches = List.of(new Stretch(0, 5, 9, 9), new Stretch(1, 0, 0, 0));
    for (var offsets : List.of(List.of(4L), List.of(9L), List.of(6L, 6L), List.of(7L, 6L))) {
      var records = offsets.stream().map(at -> record(0, at, "k", "v", Map.of())).toList();
      assertThatThrownBy(() -> new Batch(stretches, 0, Map.of(), records))
          .as("%s", offsets)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("out of its order");
    }
    assertThatThrownBy(
            () -> new Batch(stretches, 0, Map.of(), List.of(record(2, 5, "k", "v", Map.of()))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                new Batch(
                    List.of(stretches.get(0), new Stretch(0, 9, 9, 9)), 0, Map.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("partition 0 stands there twice");
    assertThatThrownBy(() -> new Stretch(0, 5, 4, 9)).isInstanceOf(IllegalArgumentException.class);
  }

  private static Batch empty() {
    return new Batch(List.of(new Stretch(0, 5, 5, 5)), Batch.NONE, Map.of(), List.of());
  }

  private static Batch any(Random random) {
    var stretches = new ArrayList<Stretch>();
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    for (int partition = 0; partition < 1 + random.nextInt(4); partition++) {
      long from = random.nextInt(1_000);
      long next = from;
      for (int n = random.nextInt(4); n > 0; n--) {
        next += random.nextInt(3);
        records.add(any(random, partition, next));
        next++;
      }
      stretches.add(new Stretch(partition, from, next, next + random.nextInt(5)));
    }
    var others =
        random.nextBoolean() ? Map.of("dc1", random.nextLong(100)) : Map.<String, Long>of();
    return new Batch(stretches, random.nextInt(), others, records);
  }

  private static ConsumerRecord<byte[], byte[]> any(Random random, int partition, long offset) {
    var headers = new TreeMap<String, String>();
    for (int n = random.nextInt(3); n > 0; n--) {
      headers.put("h" + n, random.nextBoolean() ? null : "w" + random.nextInt());
    }
    return record(
        partition,
        offset,
        random.nextInt(8) == 0 ? null : "key" + random.nextInt(),
        random.nextInt(8) == 0 ? null : "{\"v\":\"é\"}".repeat(random.nextInt(40)),
        headers);
  }

  private static ConsumerRecord<byte[], byte[]> record(
      int partition, long offset, String key, String value, Map<String, String> headers) {
    var all = new RecordHeaders();
    headers.forEach((name, text) -> all.add(name, bytes(text)));
    return new ConsumerRecord<>(
        TOPIC,
        partition,
        offset,
        offset + 1,
        TimestampType.CREATE_TIME,
        -1,
        -1,
        bytes(key),
        bytes(value),
        all,
        Optional.empty());
  }

  private static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  private static BatchReader reader(byte[] bytes) {
    return new BatchReader(new ByteArrayInputStream(bytes), TOPIC);
  }

  private static void readAll(byte[] bytes) throws IOException {
    try (var reader = reader(bytes)) {
      while (reader.next().isPresent()) {
        // Until it ends, or is damaged.
      }
    }
  }

  /** All that there is of a batch. */
  private static String text(Batch batch) {
    var text = new StringBuilder();
    text.append(batch.stretches()).append(batch.newest()).append(new TreeMap<>(batch.others()));
    for (var record : batch.records()) {
      text.append('\n').append(record.topic()).append('-').append(record.partition());
      text.append('@').append(record.offset()).append('#').append(record.timestamp());
      text.append(' ').append(Arrays.toString(record.key()));
      text.append(' ').append(Arrays.toString(record.value()));
      for (var header : record.headers()) {
        text.append(' ').append(header.key()).append('=').append(Arrays.toString(header.value()));
      }
    }
    return text.toString();
  }
}
