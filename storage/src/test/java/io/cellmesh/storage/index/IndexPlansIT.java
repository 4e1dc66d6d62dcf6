package io.cellmesh.storage.index;

import static io.cellmesh.storage.index.TripsOfDriver.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How MySQL answers the queries of an index. */
class IndexPlansIT {
  @RegisterExtension static final TestIndex index = new TestIndex(TripsOfDriver.DEFINITION);

  private final IndexReader reader = index.reader();
  private final int shard = index.topology().shards().of("ann");

  @Test
  void everyQueryIsAnsweredFromARangeOfAnIndex() throws SQLException {
    var random = new Random(1);
    for (int chunk = 0; chunk < 20; chunk++) {
      index.write(IntStream.range(0, 1_000).mapToObj(i -> entry(driver(random), random)).toList());
    }
    index.executeOnTable("ANALYZE TABLE", shard);
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

  private static String driver(Random random) {
    return random.nextInt(4) == 0 ? "ann" : "driver" + random.nextInt(500);
  }
}
