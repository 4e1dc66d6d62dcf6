package io.cellmesh.storage.index;

import static io.cellmesh.storage.index.TripsOfDriver.entries;
import static io.cellmesh.storage.index.TripsOfDriver.entry;
import static io.cellmesh.storage.index.TripsOfDriver.removal;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.storage.index.Condition.Operator;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pages of an index on real servers: they are one answer, whatever comes and goes between them. */
class IndexPagesIT {
  private static final List<String> ORDERABLE = List.of("city", "fare", "ratio", "at");
  private static final int SEEDS = 25;

  @RegisterExtension static final TestIndex index = new TestIndex(TripsOfDriver.DEFINITION);

  private final IndexReader reader = index.reader();

  @Test
  void pagesShowWhatOneQueryShowsInEveryOrder() throws SQLException {
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var entries = entries(60, "ann", random);
      index.write(entries);
      var query = query(random);
      var pages = new ArrayList<IndexHit>();
      var page = reader.page(query.limit(1 + random.nextInt(30)));
      pages.addAll(page.hits());
      while (page.next().isPresent()) {
        page = reader.page(query.limit(1 + random.nextInt(30)).after(page.next().get()));
        assertThat(page.hits()).as("a page behind a cursor has entries").isNotEmpty();
        pages.addAll(page.hits());
      }
      assertThat(pages).as("seed %d: %s", seed, query).isEqualTo(reader.query(query));
    }
  }

  @Test
  void pagesOfSeveralValuesShowEachEntryOfEachOnceInOneOrder() throws SQLException {
    var drivers = List.of("ann", "bob", "Carl ", "Carl", "😀", "nobody");
    for (int seed = 0; seed < SEEDS; seed++) {
      index.empty();
      var random = new Random(seed);
      var all = new ArrayList<IndexEntry>();
      for (var driver : drivers.subList(0, 5)) {
        all.addAll(entries(30, driver, random));
      }
      // Rows that move may stand under two values at the same place.
      for (var entry : List.copyOf(all.subList(0, 20))) {
        all.add(under("bob", entry));
      }
      index.write(all);
      var query = query(random, IndexQuery.of(drivers));
      var pages = new ArrayList<IndexHit>();
      var cursor = Optional.<String>empty();
      do {
        var next = query.limit(1 + random.nextInt(30));
        var page = reader.page(cursor.isPresent() ? next.after(cursor.get()) : next);
        assertThat(page.hits()).isNotEmpty();
        pages.addAll(page.hits());
        cursor = page.next();
      } while (cursor.isPresent());
      assertThat(pages).as("seed %d: %s", seed, query).isEqualTo(reader.query(query));
      var one = new ArrayList<IndexHit>();
      for (var driver : drivers) {
        one.addAll(reader.query(query(new Random(seed + 1_000), IndexQuery.of(driver))));
      }
      assertThat(reader.query(query(new Random(seed + 1_000), IndexQuery.of(drivers))))
          .as("seed %d: the same entries as one by one", seed)
          .containsExactlyInAnyOrderElementsOf(one);
    }
  }

  @Test
  void theOrderOfSeveralValuesIsTheOneThatOneValueHas() throws SQLException {
    for (int seed = 0; seed < SEEDS; seed++) {
      index.empty();
      var random = new Random(seed);
      var ofAnn = entries(120, "ann", random);
      index.write(ofAnn);
      var inOrder = query(random).select(List.of());
      var expected = reader.query(inOrder).stream().map(IndexHit::rowKey).toList();

      index.empty();
      for (var entry : ofAnn) {
        index.write(under(random.nextBoolean() ? "bob" : "carl", entry));
      }
      var several =
          new IndexQuery(
              List.of("carl", "bob"),
              inOrder.conditions(),
              List.of(),
              inOrder.order(),
              OptionalInt.empty(),
              Optional.empty(),
              Optional.empty());
      assertThat(reader.query(several).stream().map(IndexHit::rowKey).toList())
          .as("seed %d: %s", seed, inOrder)
          .isEqualTo(expected);
    }
  }

  private static IndexEntry under(String driver, IndexEntry entry) {
    var values = new ArrayList<>(entry.values());
    values.set(0, driver);
    return new IndexEntry(entry.rowKey(), entry.versions(), values, false);
  }

  @Test
  void entriesThatComeAndGoBetweenPagesNeitherRepeatNorHideAnother() throws SQLException {
    for (int seed = 0; seed < SEEDS; seed++) {
      index.empty();
      var random = new Random(seed);
      var staying = entries(60, "ann", random);
      var going = new ArrayList<>(entries(60, "ann", random));
      index.write(staying);
      index.write(going);
      var query = IndexQuery.of("ann");
      for (var field : ORDERABLE.subList(random.nextInt(4), 4)) {
        query = query.orderBy(field, random.nextBoolean());
      }
      var seen = new ArrayList<UUID>();
      var cursor = Optional.<String>empty();
      do {
        var next = query.limit(1 + random.nextInt(20));
        var page = reader.page(cursor.isPresent() ? next.after(cursor.get()) : next);
        page.hits().forEach(hit -> seen.add(hit.rowKey()));
        cursor = page.next();
        // The last entry of the page, where the next one begins, goes whenever it may.
        var last = page.hits().get(page.hits().size() - 1).rowKey();
        for (var entry : List.copyOf(going)) {
          if (entry.rowKey().equals(last) || random.nextInt(8) == 0) {
            index.write(removal(entry));
            going.remove(entry);
          }
        }
        index.write(entries(5, "ann", random));
      } while (cursor.isPresent());
      assertThat(seen).as("seed %d: %s", seed, query.order()).doesNotHaveDuplicates();
      assertThat(seen).containsAll(staying.stream().map(IndexEntry::rowKey).toList());
    }
  }

  @Test
  void aPageIsTheLastWhenNothingStandsBehindIt() throws SQLException {
    index.write(IntStream.range(0, 10).mapToObj(i -> entry("ann", new Random(i))).toList());

    assertThat(reader.page(IndexQuery.of("ann").limit(10)).next()).isEmpty();
    assertThat(reader.page(IndexQuery.of("ann").limit(9)).next()).isPresent();
    assertThat(reader.page(IndexQuery.of("ann")).next()).isEmpty();
    assertThat(reader.page(IndexQuery.of("ann").limit(Integer.MAX_VALUE)).hits()).hasSize(10);
    var none = reader.page(IndexQuery.of("nobody").limit(1));
    assertThat(none.hits()).isEmpty();
    assertThat(none.next()).isEmpty();
  }

  @Test
  void theExampleInTheDocumentationFindsAllPages() throws SQLException {
    index.write(IntStream.range(0, 500).mapToObj(i -> entry("ann", new Random(i))).toList());
    var definition = TripsOfDriver.DEFINITION;
    var topology = index.topology();
    var pools = index.pools();
    var driver = "ann";
    var found = new ArrayList<IndexHit>();
    // docs/indexes.md begins
    var reader = new IndexReader(definition, topology, pools, false);
    var query =
        IndexQuery.of(driver)
            .where(Condition.parse("city in Oslo,Rome"))
            .where(new Condition("at", Operator.AT_LEAST, "2019-03-08T00:00:00Z"))
            .orderBy("at", true)
            .limit(20)
            .withColumns(RowColumns.LATEST.named("BASE"));
    var page = reader.page(query);
    found.addAll(page.hits());
    while (page.next().isPresent()) {
      page = reader.page(query.after(page.next().get()));
      found.addAll(page.hits());
    }
    // docs/indexes.md ends
    assertThat(found).hasSizeGreaterThan(40).isEqualTo(reader.query(query.limit(500)));
  }

  private static IndexQuery query(Random random) {
    return query(random, IndexQuery.of("ann"));
  }

  private static IndexQuery query(Random random, IndexQuery all) {
    var query = all;
    if (random.nextBoolean()) {
      query = query.where(Condition.parse("city!=Oslo"));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      query = query.orderBy(ORDERABLE.get(random.nextInt(4)), random.nextBoolean());
    }
    return random.nextBoolean() ? query.select(List.of("fare")) : query;
  }
}
