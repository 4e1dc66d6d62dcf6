package io.cellmesh.storage.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.Credentials;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.Condition.Operator;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages, plans, cells and skew of an index on a real server. */
class IndexQueryIT {
  private static final IndexDefinition TRIPS =
      IndexDefinition.parse(
          """
          table: trips_of_driver
          datastore: trips
          column_defs:
            - column_key: BASE
              fields:
                - {field: driver, type: string}
                - {field: city, type: string}
                - {field: fare, type: decimal}
                - {field: ratio, type: double}
                - {field: at, type: datetime}
          """);
  private static final List<String> ORDERABLE = List.of("city", "fare", "ratio", "at");
  private static final int SEEDS = 25;

  @TempDir static Path dir;

  private static DevStack stack;
  private static Topology topology;
  private static Pools pools;

  private final IndexTable table = new IndexTable("trips", TRIPS);
  private final IndexReader reader = new IndexReader(TRIPS, topology, pools, false);
  private final int shard = topology.shards().of("ann");

  @BeforeAll
  static void start() throws SQLException, InterruptedException {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withInstance("trips", 8, 4)
                .withDatacenters(1)
                .withClusters(1)
                .withMinions(0)
                .withoutKafka(),
            Progress.silent());
    topology = stack.topology("dc1");
    pools = new Pools(new Credentials("root", ""), MySqlOptions.DEFAULT.withMultiStatements());
    new InstanceSchema(topology, pools).create(topology.clusters().get(0), made -> {});
    new IndexSchema(topology, TRIPS, pools).create(made -> {});
  }

  @AfterAll
  static void stop() {
    pools.close();
    stack.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    for (int i = 0; i < topology.shards().count(); i++) {
      execute("TRUNCATE " + table.name(i));
    }
  }

  @Test
  void pagesShowWhatOneQueryShowsInEveryOrder() throws SQLException {
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var entries = IntStream.range(0, 60).mapToObj(i -> entry(random)).toList();
      write(entries);
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
  void entriesThatComeAndGoBetweenPagesNeitherRepeatNorHideAnother() throws SQLException {
    for (int seed = 0; seed < SEEDS; seed++) {
      empty();
      var random = new Random(seed);
      var staying = IntStream.range(0, 60).mapToObj(i -> entry(random)).toList();
      var going = new ArrayList<>(IntStream.range(0, 60).mapToObj(i -> entry(random)).toList());
      write(staying);
      write(going);
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
            write(List.of(removal(entry)));
            going.remove(entry);
          }
        }
        write(IntStream.range(0, 5).mapToObj(i -> entry(random)).toList());
      } while (cursor.isPresent());
      assertThat(seen).as("seed %d: %s", seed, query.order()).doesNotHaveDuplicates();
      assertThat(seen).containsAll(staying.stream().map(IndexEntry::rowKey).toList());
    }
  }

  @Test
  void aPageIsTheLastWhenNothingStandsBehindIt() throws SQLException {
    write(IntStream.range(0, 10).mapToObj(i -> entry(new Random(i))).toList());

    assertThat(reader.page(IndexQuery.of("ann").limit(10)).next()).isEmpty();
    assertThat(reader.page(IndexQuery.of("ann").limit(9)).next()).isPresent();
    assertThat(reader.page(IndexQuery.of("ann")).next()).isEmpty();
    assertThat(reader.page(IndexQuery.of("ann").limit(Integer.MAX_VALUE)).hits()).hasSize(10);
    assertThat(reader.page(IndexQuery.of("nobody").limit(1)))
        .isEqualTo(new IndexPage(List.of(), Optional.empty()));
  }

  @Test
  void theExampleInTheDocumentationFindsAllPages() throws SQLException {
    write(IntStream.range(0, 500).mapToObj(i -> entry(new Random(i))).toList());
    var definition = TRIPS;
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

  @Test
  void rowsComeWithTheCellsAskedFor() throws Exception {
    var entries = IntStream.range(0, 100).mapToObj(i -> entry(new Random(i))).toList();
    write(entries);
    for (var entry : entries.subList(1, 100)) {
      cell(entry.rowKey(), "BASE", 1, "{\"old\":true}");
      cell(entry.rowKey(), "BASE", 2, "{\"old\":false}");
      cell(entry.rowKey(), "STATUS", 7, "\"paid\"");
    }
    var bare = entries.get(0).rowKey();

    for (var hit : reader.query(IndexQuery.of("ann").withColumns(RowColumns.LATEST))) {
      assertThat(keys(hit))
          .isEqualTo(hit.rowKey().equals(bare) ? List.of() : List.of("BASE.2", "STATUS.7"));
    }
    for (var hit : reader.query(IndexQuery.of("ann").withColumns(RowColumns.ALL))) {
      assertThat(keys(hit))
          .isEqualTo(
              hit.rowKey().equals(bare) ? List.of() : List.of("BASE.1", "BASE.2", "STATUS.7"));
    }
    var named =
        IndexQuery.of("ann").withColumns(RowColumns.LATEST.named("BASE", "NOTES")).limit(40);
    long before = selects();
    var page = reader.page(named);
    long asked = selects() - before;
    assertThat(page.hits()).hasSize(40);
    assertThat(page.next()).isPresent();
    assertThat(page.hits())
        .filteredOn(hit -> !hit.rowKey().equals(bare))
        .allSatisfy(
            hit -> {
              assertThat(keys(hit)).containsExactly("BASE.2");
              assertThat(hit.cells().get(0).cell().body().toJson()).isEqualTo("{\"old\":false}");
            });
    assertThat(asked).as("one for the index and one a shard").isBetween(2L, 9L);
  }

  @Test
  void everyQueryIsAnsweredFromARangeOfAnIndex() throws SQLException {
    var random = new Random(1);
    for (int chunk = 0; chunk < 20; chunk++) {
      write(IntStream.range(0, 1_000).mapToObj(i -> entry(driver(random), random)).toList());
    }
    execute("ANALYZE TABLE " + table.name(shard));
    var city = Condition.parse("city=Oslo");
    var week = Condition.parse("at between 2019-03-08T00:00:00Z and 2019-03-14T23:59:59.999999Z");
    var all = IndexQuery.of("ann");

    answered(all, "(lookup|PRIMARY)", Sort.MAYBE);
    answered(all.where(city), "lookup", Sort.MAYBE);
    answered(all.where(city).where(Condition.parse("fare>=12.5")), "lookup", Sort.MAYBE);
    answered(all.where(Condition.parse("city in Oslo,Rome")), "(lookup|PRIMARY)", Sort.MAYBE);
    answered(all.where(Condition.parse("fare!=3")), "(lookup|PRIMARY)", Sort.MAYBE);
    answered(all.where(week), "(by_at|PRIMARY)", Sort.MAYBE);
    answered(all.where(city).orderBy("fare", true).limit(20), "lookup", Sort.MAYBE);

    answered(all.limit(20), "PRIMARY", Sort.NO);
    answered(all.where(city).limit(20), "(lookup|PRIMARY)", Sort.MAYBE);
    answered(all.orderBy("at", false).limit(20), "by_at", Sort.NO);
    answered(all.orderBy("at", true).limit(20), "by_at", Sort.NO);
    answered(all.where(week).orderBy("at", true).limit(20), "by_at", Sort.NO);
    answered(all.where(city).where(week).orderBy("at", true).limit(20), "by_at", Sort.NO);
    var sameUpToTheLast =
        all.where(city).where(Condition.parse("fare=3")).where(Condition.parse("ratio=0.1"));
    answered(sameUpToTheLast.orderBy("at", true).limit(20), "(lookup|by_at)", Sort.NO);
    for (var first :
        List.of(
            all.limit(20),
            all.orderBy("at", true).limit(20),
            all.orderBy("at", false).limit(20),
            all.where(week).orderBy("at", false).limit(20))) {
      var next = first.after(reader.page(first).next().orElseThrow());
      answered(next, "(PRIMARY|by_at|lookup)", Sort.NO);
    }
  }

  @Test
  void skewIsMeasuredOverAllShards() throws SQLException {
    var random = new Random(5);
    for (int i = 0; i < 60; i++) {
      var driver = "d" + i;
      write(IntStream.range(0, 20).mapToObj(n -> entry(driver, random)).toList());
    }
    var even = IndexSkew.read(TRIPS, topology, pools, false, 3);
    write(IntStream.range(0, 2_000).mapToObj(n -> entry("ann", random)).toList());
    var gone = IntStream.range(0, 500).mapToObj(n -> entry("bob", random)).toList();
    write(gone);
    write(gone.stream().map(IndexQueryIT::removal).toList());
    var skew = IndexSkew.read(TRIPS, topology, pools, true, 3);

    assertThat(even.entries()).isEqualTo(1_200);
    assertThat(even.values()).isEqualTo(60);
    assertThat(even.frequent()).hasSize(3).allMatch(value -> value.entries() == 20);
    assertThat(even.warning()).isEmpty();
    assertThat(skew.entries()).isEqualTo(3_200);
    assertThat(skew.values()).isEqualTo(61);
    assertThat(skew.largestShard()).isEqualTo(shard);
    assertThat(skew.frequent().get(0)).isEqualTo(new IndexSkew.Value("ann", 2_000));
    assertThat(skew.warning().orElseThrow())
        .startsWith("driver: shard %d, 1 of 8, holds ".formatted(shard))
        .endsWith(" the value \"ann\" alone 62.5 %, of 61 values");
  }

  private enum Sort {
    NO,
    MAYBE
  }

  private void answered(IndexQuery query, String key, Sort sort) throws SQLException {
    var plan = reader.explain(query);
    assertThat(plan.shard()).isEqualTo(shard);
    assertThat(plan.mysql())
        .as("%s", plan.sql())
        .containsPattern(
            "(?i)index (lookup|range scan) on idx_trips_of_driver_v1 using %s\\b".formatted(key))
        .doesNotContain("Table scan", "ndex scan on");
    if (sort == Sort.NO) {
      assertThat(plan.mysql()).as("%s", plan.sql()).doesNotContain("Sort");
    }
  }

  private static IndexQuery query(Random random) {
    var query = IndexQuery.of("ann");
    if (random.nextBoolean()) {
      query = query.where(Condition.parse("city!=Oslo"));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      query = query.orderBy(ORDERABLE.get(random.nextInt(4)), random.nextBoolean());
    }
    return random.nextBoolean() ? query.select(List.of("fare")) : query;
  }

  private static String driver(Random random) {
    return random.nextInt(4) == 0 ? "ann" : "driver" + random.nextInt(500);
  }

  private static IndexEntry entry(Random random) {
    return entry("ann", random);
  }

  /** Few values, so that many entries are at one place, and some have none. */
  private static IndexEntry entry(String driver, Random random) {
    return new IndexEntry(
        new UUID(random.nextLong(), random.nextLong()),
        List.of(1L),
        Arrays.asList(
            driver,
            some(random, List.of("Oslo", "oslo", "Rome ", "Rome", "😀")),
            some(random, List.of("3", "12.5", "12.500000000000000001", "-7")),
            some(random, List.of("0.1", "0.30000000000000004", "-1.0E-7", "4.9E-324")),
            random.nextInt(5) == 0
                ? null
                : "2019-03-%02dT00:00:00.00000%dZ"
                    .formatted(1 + random.nextInt(28), random.nextInt(2))),
        false);
  }

  private static String some(Random random, List<String> values) {
    int at = random.nextInt(values.size() + 1);
    return at == values.size() ? null : values.get(at);
  }

  private static IndexEntry removal(IndexEntry entry) {
    return new IndexEntry(
        entry.rowKey(),
        List.of(2L),
        Arrays.asList(entry.shardValue(), null, null, null, null),
        true);
  }

  private void write(List<IndexEntry> entries) throws SQLException {
    for (int i = 0; i < topology.shards().count(); i++) {
      int one = i;
      var here = entries.stream().filter(e -> topology.shards().of(e.shardValue()) == one).toList();
      try (var connection = pools.open(topology.clusterOf(one).master())) {
        table.upsert(connection, Map.of(one, here));
      }
    }
  }

  private static void cell(UUID rowKey, String column, long refKey, String body) throws Exception {
    int home = topology.shards().of(rowKey);
    var sql =
        "INSERT INTO %s.entity (row_key, column_name, ref_key, body, origin, origin_id, created_at) VALUES (?, ?, ?, ?, 'dc1', NULL, UTC_TIMESTAMP(6))"
            .formatted(Names.database("trips", home));
    try (var connection = pools.open(topology.clusterOf(home).master());
        var insert = connection.prepareStatement(sql)) {
      insert.setBytes(
          1,
          ByteBuffer.allocate(16)
              .putLong(rowKey.getMostSignificantBits())
              .putLong(rowKey.getLeastSignificantBits())
              .array());
      insert.setString(2, column);
      insert.setLong(3, refKey);
      insert.setBytes(4, Body.ofJson(body).stored());
      insert.executeUpdate();
    }
  }

  private static List<String> keys(IndexHit hit) {
    assertThat(hit.cells())
        .allMatch(cell -> cell.cell().key().rowKey().equals(hit.rowKey()))
        .allMatch(cell -> cell.shard() == topology.shards().of(hit.rowKey()));
    return hit.cells().stream()
        .map(LogRecord::cell)
        .map(cell -> cell.key().columnName() + "." + cell.key().refKey())
        .toList();
  }

  /** SELECT statements that the server has answered. */
  private static long selects() throws SQLException {
    try (var connection = pools.open(topology.clusters().get(0).master());
        var query = connection.prepareStatement("SHOW GLOBAL STATUS LIKE 'Com_select'");
        var rows = query.executeQuery()) {
      rows.next();
      return rows.getLong(2);
    }
  }

  private static void execute(String sql) throws SQLException {
    try (var connection = pools.open(topology.clusters().get(0).master());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
