package io.cellmesh.storage.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexDefinitionException;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Index tables on a real server: what is written, what the guard lets through, what is found. */
class IndexTableIT {
  private static final IndexDefinition EVERY_TYPE =
      IndexDefinition.parse(
          """
          table: every_type
          datastore: trips
          column_defs:
            - column_key: BASE
              fields:
                - {field: driver, type: string}
                - {field: city, type: UUID}
                - {field: count, type: integer}
                - {field: ratio, type: double}
                - {field: fare, type: decimal}
            - column_key: STATUS
              fields:
                - {field: paid, type: boolean}
                - {field: at, type: datetime}
          """);
  private static final UUID CITY = UUID.fromString("9a0c04e0-4f89-11d3-9a0c-0305e82c3301");
  private static final int SEEDS = 100;

  @RegisterExtension static final TestIndex index = new TestIndex(EVERY_TYPE);

  private final Topology topology = index.topology();
  private final Pools pools = index.pools();
  private final IndexReader reader = index.reader();

  @Test
  void tablesAreMadeOnEveryShardAndMakingThemAgainChangesNothing() throws Exception {
    var schema = new IndexSchema(topology, EVERY_TYPE, pools);
    var made = new AtomicInteger();
    schema.create(made::addAndGet);
    assertThat(made).hasValue(8);
    for (var cluster : topology.clusters()) {
      assertThat(schema.exists(cluster)).isTrue();
    }
  }

  @Test
  void anotherDefinitionUnderTheNameIsRefused() {
    var other = new IndexDefinition("every_type", "trips", List.of(EVERY_TYPE.columns().get(0)));
    assertThatThrownBy(() -> new IndexSchema(topology, other, pools).create(made -> {}))
        .isInstanceOf(IndexDefinitionException.class)
        .hasMessageContaining("belongs to another definition of every_type");
  }

  @Test
  void everyValueComesBackAsItWasWritten() throws SQLException {
    var extremes =
        List.of(
            entry(
                "😀".repeat(255),
                CITY.toString(),
                String.valueOf(Long.MIN_VALUE),
                "1.7976931348623157E308",
                "-99999999999999999999.999999999999999999",
                "false",
                "1000-01-01T00:00:00.000000Z"),
            entry(
                "ann ",
                CITY.toString(),
                String.valueOf(Long.MAX_VALUE),
                "4.9E-324",
                "0.000000000000000001",
                "true",
                "9999-12-31T23:59:59.999999Z"),
            entry("ann", null, null, null, null, null, null),
            entry("", null, "0", "0.1", "0", null, "2019-03-31T02:30:00.000001Z"),
            entry("Ann", null, "-1", "-1.0E-7", "12.5", "true", null),
            entry(
                "a'; DROP TABLE x; -- \\ \u0000\n",
                null,
                null,
                "0.30000000000000004",
                null,
                null,
                null));
    for (var entry : extremes) {
      index.write(entry);
    }
    for (var entry : extremes) {
      assertThat(scan(entry.shardValue())).contains(entry);
      var hit = reader.query(IndexQuery.of(entry.shardValue()));
      assertThat(hit).hasSize(1);
      assertThat(hit.get(0).rowKey()).isEqualTo(entry.rowKey());
      assertThat(new ArrayList<>(hit.get(0).fields().values())).isEqualTo(entry.values());
    }
  }

  @Test
  void whateverTheOrderTheDuplicatesAndTheBatchesTheHighestVersionsStand() throws SQLException {
    var expected = new HashMap<UUID, IndexEntry>();
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var chain = chain(random, new UUID(seed, seed));
      chain.addAll(chain);
      Collections.shuffle(chain, random);
      for (var entry : chain) {
        expected.merge(
            entry.rowKey(), entry, (there, next) -> next.supersedes(there) ? next : there);
      }
      while (!chain.isEmpty()) {
        var batch = chain.subList(0, 1 + random.nextInt(chain.size()));
        index.write(batch);
        batch.clear();
      }
    }
    assertThat(scan("ann")).containsExactlyInAnyOrderElementsOf(expected.values());
    assertThat(reader.query(IndexQuery.of("ann")))
        .extracting(IndexHit::rowKey)
        .containsExactlyInAnyOrderElementsOf(
            expected.values().stream().filter(e -> !e.removed()).map(IndexEntry::rowKey).toList());
  }

  @Test
  void aQueryFindsWhatABruteForceScanFinds() throws SQLException {
    var random = new Random(7);
    var entries = new ArrayList<IndexEntry>();
    for (int i = 0; i < 300; i++) {
      entries.add(
          entry(
              "ann",
              random.nextInt(5) == 0 ? null : CITY.toString(),
              String.valueOf(random.nextInt(10)),
              null,
              random.nextInt(5) == 0 ? null : String.valueOf(random.nextInt(20)),
              String.valueOf(random.nextBoolean()),
              "2019-03-%02dT00:00:00.000000Z".formatted(1 + random.nextInt(28))));
    }
    index.write(entries);
    for (int i = 0; i < 200; i++) {
      var operator = Condition.Operator.values()[random.nextInt(8)];
      int low = random.nextInt(20);
      var values =
          switch (operator) {
            case IN -> List.of(String.valueOf(low), "3", "5");
            case BETWEEN -> List.of(String.valueOf(low), String.valueOf(low + 4));
            default -> List.of(String.valueOf(low));
          };
      var query =
          IndexQuery.of("ann")
              .where(new Condition("fare", operator, values))
              .where(new Condition("paid", Condition.Operator.EQUAL, "true"));
      assertThat(reader.query(query))
          .as("fare %s %s", operator, values)
          .extracting(IndexHit::rowKey)
          .containsExactlyInAnyOrderElementsOf(
              entries.stream()
                  .filter(e -> "true".equals(e.values().get(5)))
                  .filter(e -> holds(e.values().get(4), operator, values))
                  .map(IndexEntry::rowKey)
                  .toList());
    }
  }

  @Test
  void fieldsOrderAndLimitAreTheOnesAskedFor() throws SQLException {
    for (int i = 0; i < 20; i++) {
      index.write(entry("ann", null, String.valueOf(i), null, null, null, null));
    }
    var hits =
        reader.query(
            IndexQuery.of("ann")
                .where(Condition.parse("count between 5 and 15"))
                .select(List.of("count"))
                .orderBy("count", true)
                .limit(3));
    assertThat(hits)
        .extracting(h -> h.fields().toString())
        .containsExactly("{count=15}", "{count=14}", "{count=13}");
  }

  @Test
  void aRemovedEntryIsNotFound() throws SQLException {
    var entry = entry("ann", null, "1", null, null, null, null);
    index.write(entry);
    index.write(removal(entry.rowKey(), 2));
    index.write(entry);
    assertThat(reader.query(IndexQuery.of("ann"))).isEmpty();
    assertThat(scan("ann")).containsExactly(removal(entry.rowKey(), 2));
  }

  @Test
  void aFailureOnTheLastShardIsThrownAndNothingOfTheTransactionStays() throws Exception {
    var cluster = topology.clusters().get(0);
    int broken = cluster.shards().stream().max().orElseThrow();
    var lost = entry(driverOn(broken), null, "1", null, null, null, null);
    var entries = new TreeMap<Integer, List<IndexEntry>>();
    cluster.shards().stream()
        .forEach(
            shard ->
                entries.put(
                    shard, List.of(entry(driverOn(shard), null, "1", null, null, null, null))));
    entries.put(broken, List.of(lost));
    var table = new IndexTable("trips", EVERY_TYPE);
    var transaction = new IndexTransaction();
    entries.forEach((shard, rows) -> transaction.add(table, shard, rows));
    index.executeOnTable("DROP TABLE", broken);
    try (var connection = pools.open(cluster.master())) {
      assertThatThrownBy(() -> transaction.execute(connection))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("doesn't exist");
      for (var others : entries.headMap(broken).values()) {
        assertThat(scan(others.get(0).shardValue())).isEmpty();
      }
    } finally {
      new IndexSchema(topology, EVERY_TYPE, pools).create(made -> {});
    }
    try (var connection = pools.open(cluster.master())) {
      transaction.execute(connection);
    }
    assertThat(scan(lost.shardValue())).containsExactly(lost);
  }

  @Test
  void entriesThatAreNewAreInsertedTogetherOrNotAtAll() throws Exception {
    var cluster = topology.clusters().get(0);
    int first = cluster.shards().stream().min().orElseThrow();
    int last = cluster.shards().stream().max().orElseThrow();
    var early = entry(driverOn(first), null, "1", null, null, null, null);
    var known = entry(driverOn(last), null, "2", null, null, null, null);
    var removal = removal(known.rowKey(), known.shardValue(), 2);
    var table = new IndexTable("trips", EVERY_TYPE);
    try (var connection = pools.open(cluster.master())) {
      var alone = new IndexTransaction().add(table, last, List.of(removal));
      assertThat(alone.insert(connection)).isTrue();
      assertThat(scan(known.shardValue())).containsExactly(removal);

      var both =
          new IndexTransaction().add(table, first, List.of(early)).add(table, last, List.of(known));
      assertThat(both.insert(connection)).isFalse();
      assertThat(scan(early.shardValue())).isEmpty();
      assertThat(scan(known.shardValue())).containsExactly(removal);

      both.execute(connection);
      assertThat(scan(early.shardValue())).containsExactly(early);
      assertThat(scan(known.shardValue())).containsExactly(removal);
    }
  }

  private String driverOn(int shard) {
    for (int i = 0; ; i++) {
      if (topology.shards().of("driver " + i) == shard) {
        return "driver " + i;
      }
    }
  }

  @Test
  void theExplanationNamesShardServerAndTheIndexUsed() throws SQLException {
    var rows = new ArrayList<IndexEntry>();
    for (int i = 0; i < 500; i++) {
      rows.add(entry(i % 25 == 0 ? "ann" : "x" + i, CITY.toString(), "1", null, null, null, null));
    }
    for (var row : rows) {
      index.write(row);
    }
    var plan =
        reader.explain(
            IndexQuery.of("ann")
                .where(new Condition("city", Condition.Operator.EQUAL, CITY.toString()))
                .where(new Condition("count", Condition.Operator.AT_LEAST, "1")));
    assertThat(plan.shard()).isEqualTo(topology.shards().of("ann"));
    assertThat(plan.server()).isEqualTo(topology.clusterOf(plan.shard()).master());
    assertThat(plan.sql()).contains("`driver` = ? AND `city` = ? AND `count` >= ?");
    assertThat(plan.mysql())
        .containsPattern(
            "(?i)index (lookup|range scan) on idx_every_type_v1 using (lookup|PRIMARY)")
        .doesNotContain("Table scan");
  }

  @Test
  void aQueryThatDoesNotFitIsRefusedByFieldAndRule() {
    refused(
        IndexQuery.of("ann").where(new Condition("dr`iver", Condition.Operator.EQUAL, "x")),
        "dr`iver: the index every_type has no such field");
    refused(IndexQuery.of("ann").select(List.of("row_key")), "row_key: the index every_type has");
    refused(IndexQuery.of("ann").orderBy("1; DROP", false), "1; DROP: the index every_type has");
    refused(
        IndexQuery.of("ann").where(Condition.parse("count=many")), "count: not a number: \"many\"");
    refused(
        IndexQuery.of("ann").where(Condition.parse("driver=bob")),
        "driver: the shard field is given once");
    refused(IndexQuery.of("x".repeat(256)), "driver: over 255 characters");
  }

  private void refused(IndexQuery query, String message) {
    assertThatThrownBy(() -> reader.query(query))
        .isInstanceOf(IndexQueryException.class)
        .hasMessageStartingWith(message);
  }

  private static boolean holds(String value, Condition.Operator operator, List<String> values) {
    if (value == null) {
      return operator == Condition.Operator.NOT_EQUAL;
    }
    int it = Integer.parseInt(value);
    var with = values.stream().map(Integer::valueOf).toList();
    return switch (operator) {
      case EQUAL -> it == with.get(0);
      case NOT_EQUAL -> it != with.get(0);
      case LESS -> it < with.get(0);
      case AT_MOST -> it <= with.get(0);
      case GREATER -> it > with.get(0);
      case AT_LEAST -> it >= with.get(0);
      case IN -> with.contains(it);
      case BETWEEN -> with.get(0) <= it && it <= with.get(1);
    };
  }

  /** What a row publishes under one driver: versions rise column by column, removals among it. */
  private static List<IndexEntry> chain(Random random, UUID row) {
    var chain = new ArrayList<IndexEntry>();
    Long base = null;
    Long status = null;
    for (int i = 0; i < 6; i++) {
      boolean first = base == null;
      if (first || random.nextBoolean()) {
        base = (first ? -5 : base) + 1 + random.nextInt(3);
      } else {
        status = (status == null ? -5 : status) + 1 + random.nextInt(3);
      }
      var versions = Arrays.asList(base, status);
      chain.add(
          random.nextInt(4) == 0
              ? new IndexEntry(
                  row, versions, values("ann", null, null, null, null, null, null), true)
              : new IndexEntry(
                  row,
                  versions,
                  values("ann", null, "" + base, null, null, status == null ? null : "true", null),
                  false));
    }
    return chain;
  }

  private static IndexEntry entry(String... values) {
    return new IndexEntry(UUID.randomUUID(), Arrays.asList(1L, null), values(values), false);
  }

  private static IndexEntry removal(UUID row, long version) {
    return removal(row, "ann", version);
  }

  private static IndexEntry removal(UUID row, String driver, long version) {
    return new IndexEntry(
        row,
        Arrays.asList(version, null),
        values(driver, null, null, null, null, null, null),
        true);
  }

  private static List<String> values(String... values) {
    return Arrays.asList(values);
  }

  private List<IndexEntry> scan(String shardValue) throws SQLException {
    int shard = topology.shards().of(shardValue);
    var entries = new ArrayList<IndexEntry>();
    try (var connection = pools.open(topology.clusterOf(shard).master())) {
      new IndexScan("trips", EVERY_TYPE).scan(connection, shard, entries::add);
    }
    return entries;
  }
}
