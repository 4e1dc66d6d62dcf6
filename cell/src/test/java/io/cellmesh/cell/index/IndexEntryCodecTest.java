package io.cellmesh.cell.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class IndexEntryCodecTest {
  private static final IndexDefinition DEFINITION =
      IndexDefinition.parse(
          """
          table: every_type
          datastore: trips
          column_defs:
            - column_key: BASE
              fields:
                - {field: name, type: string}
                - {field: id, type: UUID}
                - {field: count, type: integer}
                - {field: ratio, type: double}
                - {field: fare, type: decimal}
            - column_key: STATUS
              fields:
                - {field: paid, type: boolean}
                - {field: at, type: datetime}
          """);
  private static final UUID ROW = UUID.fromString("3f2504e0-4f89-11d3-9a0c-0305e82c3301");
  private static final IndexEntry FULL =
      new IndexEntry(
          ROW,
          List.of(Long.MIN_VALUE, 7L),
          List.of(
              "a/b\"é",
              "9a0c04e0-4f89-11d3-9a0c-0305e82c3301",
              "-9223372036854775808",
              "1.0E300",
              "12345678901234567890.5",
              "true",
              "2016-01-12T09:00:00.000000Z"),
          false);

  private final IndexEntryCodec codec = new IndexEntryCodec(DEFINITION);

  @Test
  void anEntryReadsBackAsItself() throws MisfitException {
    assertThat(codec.read(codec.key(FULL), codec.value(FULL))).isEqualTo(FULL);
  }

  @Test
  void valuesStandInJsonAsWhatTheyAre() {
    assertThat(new String(codec.value(FULL), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {"v":1,"row_key":"3f2504e0-4f89-11d3-9a0c-0305e82c3301","removed":false,\
            "versions":{"BASE":-9223372036854775808,"STATUS":7},\
            "fields":{"name":"a/b\\"é","id":"9a0c04e0-4f89-11d3-9a0c-0305e82c3301",\
            "count":-9223372036854775808,"ratio":1.0E300,"fare":12345678901234567890.5,\
            "paid":true,"at":"2016-01-12T09:00:00.000000Z"}}""");
  }

  @Test
  void whatIsAbsentStaysAbsent() throws MisfitException {
    var values = Arrays.asList("a", null, null, null, null, null, null);
    var entry = new IndexEntry(ROW, Arrays.asList(1L, null), values, false);
    assertThat(codec.read(codec.key(entry), codec.value(entry))).isEqualTo(entry);
  }

  @Test
  void aRemovalKeepsItsVersions() throws MisfitException {
    var removal = IndexEntry.removal(ROW, Arrays.asList(2L, null), "a", 7);
    var value = codec.value(removal);
    assertThat(new String(value, StandardCharsets.UTF_8))
        .contains("\"removed\":true", "\"BASE\":2", "\"fields\":{\"name\":\"a\"}");
    assertThat(codec.read(codec.key(removal), value)).isEqualTo(removal);
  }

  @Test
  void theKeyTellsTheShardFieldWhateverItHolds() {
    assertThat(IndexEntryCodec.shardValue(codec.key(FULL))).isEqualTo("a/b\"é");
    var empty = IndexEntry.removal(ROW, List.of(1L, 1L), "", 7);
    assertThat(IndexEntryCodec.shardValue(codec.key(empty))).isEmpty();
    assertThatThrownBy(() -> IndexEntryCodec.shardValue(bytes("short")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aMalformedRecordIsRefusedByFieldAndRule() {
    var good = new String(codec.value(FULL), StandardCharsets.UTF_8);
    refused(null, "record: its value is null");
    refused("{", "record: not JSON");
    refused("[]", "record: not a JSON object");
    refused(good.replace("\"v\":1", "\"v\":2"), "v: must be 1");
    refused(good.replace("\"removed\":false", "\"removed\":0"), "removed: must be true or false");
    refused(good.replace("\"STATUS\":7", "\"STATUS\":7.5"), "versions: must be 64-bit integers");
    refused(good.replace("\"STATUS\":7", "\"OTHER\":7"), "versions: has what the definition");
    refused(good.replace("\"paid\":true,", ""), "paid: missing");
    refused(good.replace("\"paid\":true", "\"paid\":1"), "paid: must be true or false, not a");
    refused(good.replace("\"name\":\"a/b\\\"é\"", "\"name\":null"), "name: is the shard field");
    refused(good.replace("a/b", "b/a"), "record: its key is not that of its shard field");
  }

  private void refused(String value, String message) {
    assertThatThrownBy(() -> codec.read(codec.key(FULL), value == null ? null : bytes(value)))
        .isInstanceOf(MisfitException.class)
        .hasMessageStartingWith(message);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
