package io.cellmesh.connect.sink.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.connect.sink.base.RejectionsForTests;
import io.cellmesh.storage.index.IndexScan;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whatever the order and the repetition of entries, the tables end with the highest versions. */
class IndexSinkPropertyIT {
  private static final int SEEDS = Integer.getInteger("cellmesh.index.seeds", 10);
  private static final int ROWS = 40;

  private static final IndexDefinition ONE_COLUMN =
      IndexDefinition.parse(
          """
          table: one_column
          datastore: trips
          column_defs:
            - column_key: BASE
              fields:
                - {field: driver, type: string}
                - {field: city, type: string}
          """);
  private static final List<IndexDefinition> DEFINITIONS =
      List.of(
          ONE_COLUMN,
          ONE_COLUMN.withVersion(2),
          IndexDefinition.parse(
              """
              table: three_columns
              datastore: trips
              column_defs:
                - column_key: BASE
                  fields:
                    - {field: driver, type: string}
                    - {field: city, type: string}
                - column_key: STATUS
                  fields:
                    - {field: state, type: string}
                - column_key: FARE
                  fields:
                    - {field: amount, type: string}
                    - {field: currency, type: string}
              """));

  @RegisterExtension static final SinkMasters masters = new SinkMasters(DEFINITIONS);

  @Test
  void the_tables_end_as_the_highest_versions_say_and_removals_stay() throws SQLException {
    try (var sink = sink()) {
      for (var definition : DEFINITIONS) {
        var outcome = new LinkedHashSet<IndexEntry>();
        for (int seed = 0; seed < SEEDS; seed++) {
          outcome.addAll(run(sink, definition, new Random(seed)));
          assertThat(stands(definition))
              .as("%s, seed %d", definition.label(), seed)
              .containsExactlyInAnyOrderElementsOf(outcome);
        }
      }
    }
  }

  private static Set<IndexEntry> run(IndexSink sink, IndexDefinition definition, Random random) {
    var histories = new Histories(definition, random);
    for (int row = 0; row < ROWS; row++) {
      histories.row(new UUID(random.nextLong(), random.nextLong()));
    }
    var topology = masters.topology();
    var feed =
        new Feed(
            topology.topics().index(definition.label()),
            topology.shards(),
            new IndexEntryCodec(definition));
    histories.delivered().forEach(feed::append);
    sink.forget(feed.partitions());
    while (!feed.done()) {
      feed.poll(sink, 1 + random.nextInt(200));
    }
    return histories.outcome();
  }

  private static Set<IndexEntry> stands(IndexDefinition definition) throws SQLException {
    var found = new LinkedHashSet<IndexEntry>();
    var scan = new IndexScan(masters.topology().instance(), definition);
    for (var cluster : masters.topology().clusters()) {
      try (var connection = masters.pools().open(cluster.master())) {
        for (int shard : cluster.shards().stream().toArray()) {
          scan.scan(connection, shard, found::add);
        }
      }
    }
    return found;
  }

  /** One for all of them. */
  private static IndexSink sink() {
    return masters.sink(
        IndexDefinition.toYaml(DEFINITIONS),
        RejectionsForTests.into(
            reason -> {
              throw new AssertionError("rejected: " + reason);
            }));
  }
}
