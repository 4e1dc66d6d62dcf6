package io.cellmesh.operations.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndexDifferenceTest {
  private static final IndexDefinition BY_DRIVER =
      IndexDefinition.parse(
          """
          table: by_driver
          datastore: trips
          column_defs:
            - column_key: BASE
              fields:
                - {field: driver, type: string}
                - {field: city, type: string}
          """);

  @Test
  void theNewestVersionDecidesWhateverTheOrder() {
    var entries =
        recomputed(
            World.entities(
                cell(2, "{\"driver\":\"d\",\"city\":\"new\"}", 1),
                cell(1, "{\"driver\":\"d\",\"city\":\"old\"}", 2)));

    assertThat(entries).hasSize(1);
    assertThat(entries.get(0).values()).containsExactly("d", "new");
    assertThat(entries.get(0).versions()).containsExactly(2L);
  }

  @Test
  void aCellThatDoesNotFitDoesNotCount() {
    assertThat(recomputed(World.entities(cell(1, "{\"driver\":5}", 1)))).isEmpty();
  }

  @Test
  void equalSetsHaveEqualSumsInAnyOrder() {
    var one = entry(1, "a", 1);
    var two = entry(2, "b", 1);
    var sums = new IndexSums(2);
    var same = new IndexSums(2);
    var other = new IndexSums(2);
    List.of(one, two).forEach(e -> sums.add(0, e));
    List.of(two, one).forEach(e -> same.add(0, e));
    List.of(one, entry(2, "c", 1)).forEach(e -> other.add(0, e));

    assertThat(sums.differing(same)).isEmpty();
    assertThat(sums.differing(other)).containsExactly(0);
    assertThat(sums.total()).isEqualTo(2);
  }

  @Test
  void whatIsMissingAddedOrChangedIsNamed() {
    var offences = new ArrayList<String>();
    var difference = new IndexDifference(BY_DRIVER, (entry, what) -> offences.add(what));
    difference.expect(entry(1, "a", 1));
    difference.expect(entry(2, "a", 1));
    difference.expect(entry(3, "a", 2));
    difference.expect(entry(4, "a", 1));

    difference.found(entry(1, "a", 1));
    difference.found(entry(2, "tampered", 1));
    difference.found(entry(3, "a", 1));
    difference.found(entry(5, "a", 1));
    difference.finish();

    assertThat(offences)
        .containsExactly(
            "has another city than the cells",
            "follows ref_key 1 of BASE, the newest is 2",
            "is in the index and follows from no cell",
            "is missing from the index");
  }

  private static List<IndexEntry> recomputed(Entities entities) {
    var entries = new ArrayList<IndexEntry>();
    new IndexRecomputation(BY_DRIVER).entries(entities, entries::add);
    return entries;
  }

  private static io.cellmesh.cell.LogRecord cell(long refKey, String json, long addedId) {
    return World.own(new CellKey(World.rowIn(0, 1), "BASE", refKey), json, addedId);
  }

  private static IndexEntry entry(int row, String city, long version) {
    return new IndexEntry(World.rowIn(0, row), List.of(version), List.of("d", city), false);
  }
}
