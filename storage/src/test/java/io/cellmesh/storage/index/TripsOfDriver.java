package io.cellmesh.storage.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

/** An index with fields to order by, and random entries of it. */
final class TripsOfDriver {
  static final IndexDefinition DEFINITION =
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

  private TripsOfDriver() {}

  static List<IndexEntry> entries(int count, String driver, Random random) {
    return IntStream.range(0, count).mapToObj(i -> entry(driver, random)).toList();
  }

  /** Few values, so that many entries are at one place, and some have none. */
  static IndexEntry entry(String driver, Random random) {
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

  static IndexEntry removal(IndexEntry entry) {
    return new IndexEntry(
        entry.rowKey(),
        List.of(2L),
        Arrays.asList(entry.shardValue(), null, null, null, null),
        true);
  }

  private static String some(Random random, List<String> values) {
    int at = random.nextInt(values.size() + 1);
    return at == values.size() ? null : values.get(at);
  }
}
