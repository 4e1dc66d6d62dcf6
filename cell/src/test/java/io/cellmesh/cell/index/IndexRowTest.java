package io.cellmesh.cell.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cellmesh.cell.Body;
import io.cellmesh.cell.InvalidCellException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexRowTest {
  private static final IndexDefinition DEFINITION =
      IndexDefinition.parse(
          """
          table: by_driver
          datastore: trips
          column_defs:
            - column_key: BASE
              fields:
                - {field: driver, type: string}
                - {field: city, type: string}
            - column_key: STATUS
              fields:
                - {field: state, type: string}
          """);
  private static final UUID ROW = UUID.fromString("3f2504e0-4f89-11d3-9a0c-0305e82c3301");
  private static final int SEEDS = 500;

  @Test
  void anEntryAppearsOnceItsShardFieldIsKnownWhateverCameFirst() throws Exception {
    var status = IndexRow.empty(DEFINITION, ROW).apply("STATUS", 5, json("{\"state\":\"paid\"}"));
    assertThat(status.entries()).isEmpty();
    var base = status.row().apply("BASE", 1, json("{\"driver\":\"ann\"}"));
    assertThat(base.entries())
        .containsExactly(
            new IndexEntry(ROW, List.of(1L, 5L), Arrays.asList("ann", null, "paid"), false));
  }

  @Test
  void anEntryMovesAndLeavesAVersionedRemoval() throws Exception {
    var ann = IndexRow.empty(DEFINITION, ROW).apply("BASE", 1, json("{\"driver\":\"ann\"}")).row();
    var moved = ann.apply("BASE", 2, json("{\"driver\":\"bob\"}"));
    assertThat(moved.entries())
        .containsExactly(
            new IndexEntry(ROW, Arrays.asList(2L, null), Arrays.asList("bob", null, null), false),
            IndexEntry.removal(ROW, Arrays.asList(2L, null), "ann", 3));
  }

  @Test
  void anEntryGoesWhenTheShardFieldTurnsNull() throws Exception {
    var ann = IndexRow.empty(DEFINITION, ROW).apply("BASE", 1, json("{\"driver\":\"ann\"}")).row();
    var gone = ann.apply("BASE", 2, json("{\"driver\":null}"));
    assertThat(gone.entries())
        .containsExactly(IndexEntry.removal(ROW, Arrays.asList(2L, null), "ann", 3));
    assertThat(gone.row().entry()).isEmpty();
  }

  @Test
  void anOlderCellOfTheSameValueAndAnotherColumnChangeNothing() throws Exception {
    var row = IndexRow.empty(DEFINITION, ROW).apply("BASE", 2, json("{\"driver\":\"ann\"}")).row();
    var nothing = new IndexRow.Change(row, List.of(), false);
    assertThat(row.apply("BASE", 1, json("{\"driver\":\"ann\"}"))).isEqualTo(nothing);
    assertThat(row.apply("BASE", 1, json("{}"))).isEqualTo(nothing);
    assertThat(row.apply("NOTES", 9, json("{\"driver\":\"bob\"}"))).isEqualTo(nothing);
  }

  /** It may have been taken for the newest once, by a state that a crash has lost. */
  @Test
  void anOlderCellOfAnotherValueGivesTheRemovalUnderIt() throws Exception {
    var row = IndexRow.empty(DEFINITION, ROW).apply("BASE", 2, json("{\"driver\":\"ann\"}")).row();
    assertThat(row.apply("BASE", 1, json("{\"driver\":\"bob\"}")).entries())
        .containsExactly(IndexEntry.removal(ROW, Arrays.asList(2L, null), "bob", 3));
  }

  @Test
  void aKnownCellIsStoredAgainEvenIfItHasNothingToSay() throws Exception {
    var paid = json("{\"state\":\"paid\"}");
    var row = IndexRow.empty(DEFINITION, ROW).apply("STATUS", 5, paid).row();
    assertThat(row.apply("STATUS", 5, paid)).isEqualTo(new IndexRow.Change(row, List.of(), true));
    assertThat(row.apply("STATUS", 4, paid).kept()).isFalse();
  }

  @Test
  void aRowThatMovesWithoutEndStaysSmallWhateverTheOrder() throws Exception {
    var random = new Random(20160122);
    var refKeys = new ArrayList<Long>();
    for (long refKey = 1; refKey <= 2_000; refKey++) {
      refKeys.add(refKey);
    }
    var inOrder = moved(refKeys);
    assertThat(inOrder.toBytes()).hasSizeLessThan(LeftValues.ROOM + 1_000);
    assertThat(inOrder.apply("BASE", 2_000, driver(2_000)).entries())
        .as("what is said again: the entry, and the removals under the last values that were left")
        .hasSizeGreaterThan(100)
        .contains(IndexEntry.removal(ROW, Arrays.asList(2_000L, null), name(1_999), 3));
    for (int i = 0; i < 5; i++) {
      Collections.shuffle(refKeys, random);
      assertThat(moved(refKeys).toBytes()).isEqualTo(inOrder.toBytes());
    }
  }

  /** One of them as it was written before values that were left had their ref_keys. */
  @Test
  void theOlderStoredFormReadsBackAsMuchOfItAsThereIsRoomFor() throws Exception {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.write(new byte[] {2, 3, 1});
    out.writeLong(7_000);
    out.writeByte(0);
    out.writeUTF("now");
    out.writeShort(-1);
    out.writeShort(-1);
    out.writeInt(6_000);
    for (int i = 0; i < 6_000; i++) {
      out.writeUTF("d" + i);
    }
    var row = IndexRow.ofBytes(DEFINITION, ROW, bytes.toByteArray());
    assertThat(row.toBytes()).hasSizeLessThan(LeftValues.ROOM);
    assertThat(row.entry()).isPresent();
    assertThat(row.apply("BASE", 7_000, json("{\"driver\":\"now\"}")).entries())
        .contains(IndexEntry.removal(ROW, Arrays.asList(7_000L, null), "d5999", 3))
        .doesNotContain(IndexEntry.removal(ROW, Arrays.asList(7_000L, null), "d0", 3));
    assertThat(IndexRow.ofBytes(DEFINITION, ROW, row.toBytes()).toBytes()).isEqualTo(row.toBytes());
  }

  @Test
  void aCellThatDoesNotFitDoesNotCount() throws Exception {
    var row = IndexRow.empty(DEFINITION, ROW).apply("BASE", 1, json("{\"driver\":\"ann\"}")).row();
    assertThatThrownBy(() -> row.apply("BASE", 2, json("{\"driver\":7}")))
        .hasMessage("driver: must be a text, not a number");
    assertThatThrownBy(() -> row.apply("BASE", 2, json("[]")))
        .hasMessage("driver: an object is needed where the body has an array");
  }

  @Test
  @SuppressWarnings("unchecked") // Jackson's deepCopy is declared so.
  void aFaultInProjectingAFieldIsAMisfitAndNoMore() {
    var faulty =
        new ObjectNode(JsonNodeFactory.instance) {
          @Override
          public JsonNode get(String name) {
            throw new ArithmeticException("Overflow");
          }
        };
    assertThatThrownBy(() -> IndexRow.empty(DEFINITION, ROW).apply("BASE", 1, faulty))
        .isInstanceOf(MisfitException.class)
        .hasMessage("driver: can't be told from its value (ArithmeticException)");
  }

  @Test
  void itsStoredFormReadsBack() throws Exception {
    var row =
        IndexRow.empty(DEFINITION, ROW)
            .apply("BASE", 1, json("{\"driver\":\"ann\"}"))
            .row()
            .apply("BASE", 2, json("{\"driver\":\"bob\"}"))
            .row();
    var again = IndexRow.ofBytes(DEFINITION, ROW, row.toBytes());
    assertThat(again.toBytes()).isEqualTo(row.toBytes());
    assertThat(again.entry()).isEqualTo(row.entry());
    assertThatThrownBy(() -> IndexRow.ofBytes(DEFINITION, ROW, new byte[] {'['}))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anyOrderAndAnyDuplicatesOfDeliveryEndTheSame() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var cells = cells(random);
      var delivered = new ArrayList<>(cells);
      for (int i = random.nextInt(10); i > 0; i--) {
        delivered.add(cells.get(random.nextInt(cells.size())));
      }
      Collections.shuffle(delivered, random);

      var row = IndexRow.empty(DEFINITION, ROW);
      var published = new ArrayList<IndexEntry>();
      for (var cell : delivered) {
        var change = cell.apply(row);
        row = IndexRow.ofBytes(DEFINITION, ROW, change.row().toBytes());
        published.addAll(change.entries());
      }
      Collections.shuffle(published, random);
      assertThat(standing(published)).as("seed " + seed).isEqualTo(expected(cells));
    }
  }

  /**
   * A crash loses any of the entries since the last commit, while the state may have kept all of
   * it; then the log is read again from that commit.
   */
  @ParameterizedTest(name = "{0} crashes")
  @ValueSource(ints = {1, 2, 5})
  void entriesLostInACrashAreSaidAgain(int crashes) throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var cells = cells(random);
      Collections.shuffle(cells, random);

      var row = IndexRow.empty(DEFINITION, ROW);
      var published = new ArrayList<IndexEntry>();
      int committed = 0;
      for (int crash = 0; crash <= crashes; crash++) {
        int until =
            crash == crashes
                ? cells.size()
                : committed + random.nextInt(cells.size() - committed + 1);
        int next = crash == crashes ? until : committed + random.nextInt(until - committed + 1);
        for (int i = committed; i < until; i++) {
          var change = cells.get(i).apply(row);
          row = change.row();
          boolean certain = i < next || crash == crashes;
          if (certain || random.nextBoolean()) {
            published.addAll(change.entries());
          }
        }
        committed = next;
      }
      assertThat(standing(published)).as("seed " + seed).isEqualTo(expected(cells));
    }
  }

  @Test
  void acrossReplaysInDifferentOrdersTheTablesAgree() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var cells = cells(random);
      var published = new ArrayList<IndexEntry>();
      for (int replay = 0; replay < 3; replay++) {
        Collections.shuffle(cells, random);
        var row = IndexRow.empty(DEFINITION, ROW);
        for (var cell : cells) {
          var change = cell.apply(row);
          row = change.row();
          published.addAll(change.entries());
        }
      }
      Collections.shuffle(published, random);
      assertThat(standing(published)).as("seed " + seed).isEqualTo(expected(cells));
    }
  }

  private static IndexRow moved(List<Long> refKeys) throws Exception {
    var row = IndexRow.empty(DEFINITION, ROW);
    for (long refKey : refKeys) {
      row = row.apply("BASE", refKey, driver(refKey)).row();
      row = IndexRow.ofBytes(DEFINITION, ROW, row.toBytes());
    }
    return row;
  }

  /** One of 1,500 drivers, so that some come back, of various lengths. */
  private static String name(long refKey) {
    return "d" + refKey % 1_500 + "x".repeat((int) (refKey * 7 % 60));
  }

  private static Body driver(long refKey) throws InvalidCellException {
    return json("{\"driver\":\"%s\"}".formatted(name(refKey)));
  }

  private record Sent(String column, long refKey, String body) {
    IndexRow.Change apply(IndexRow row) throws InvalidCellException {
      try {
        return row.apply(column, refKey, json(body));
      } catch (MisfitException e) {
        return new IndexRow.Change(row, List.of(), false);
      }
    }
  }

  /** Distinct cells of one row; some have no driver, and some a driver that does not fit. */
  private static List<Sent> cells(Random random) {
    var cells = new HashMap<String, Sent>();
    for (int i = 1 + random.nextInt(12); i > 0; i--) {
      long refKey = random.nextInt(8) - 3L;
      boolean base = random.nextInt(3) > 0;
      var driver =
          switch (random.nextInt(8)) {
            case 0 -> "null";
            case 1 -> "7";
            default -> "\"d" + random.nextInt(4) + '"';
          };
      var cell =
          base
              ? new Sent("BASE", refKey, "{\"driver\":%s,\"city\":\"c%d\"}".formatted(driver, i))
              : new Sent("STATUS", refKey, "{\"state\":\"s%d\"}".formatted(i));
      cells.put(cell.column() + refKey, cell);
    }
    var list = new ArrayList<>(cells.values());
    list.sort(Comparator.comparing(Sent::column).thenComparing(Sent::refKey));
    return list;
  }

  /** What a table holds that keeps to the guard; removals apart. */
  private static Map<String, IndexEntry> standing(List<IndexEntry> published) {
    var table = new HashMap<String, IndexEntry>();
    for (var entry : published) {
      table.merge(
          entry.shardValue(), entry, (there, next) -> next.supersedes(there) ? next : there);
    }
    table.values().removeIf(IndexEntry::removed);
    return table;
  }

  private static Map<String, IndexEntry> expected(List<Sent> cells) {
    var base = latest(cells, "BASE", false);
    var status = latest(cells, "STATUS", true);
    if (base.isEmpty() || base.get().body().contains("null")) {
      return Map.of();
    }
    var driver = base.get().body().split("\"")[3];
    var city = base.get().body().split("\"")[7];
    var state = status.map(s -> s.body().split("\"")[3]).orElse(null);
    return Map.of(
        driver,
        new IndexEntry(
            ROW,
            Arrays.asList(base.get().refKey(), status.map(Sent::refKey).orElse(null)),
            Arrays.asList(driver, city, state),
            false));
  }

  private static Optional<Sent> latest(List<Sent> cells, String column, boolean any) {
    return cells.stream()
        .filter(c -> c.column().equals(column) && (any || !c.body().contains(":7")))
        .max(Comparator.comparing(Sent::refKey));
  }

  private static Body json(String text) throws InvalidCellException {
    return Body.ofJson(text);
  }
}
