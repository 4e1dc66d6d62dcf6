package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.ShardSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardDatabasesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"0-31", "32-63", "0", "0-4095", "2048-4095", "0-9999", "9-1001", "7,40-63,5"})
  void the_pattern_matches_the_databases_of_the_shards_and_no_others(String text) {
    var shards = ShardSet.parse(text);
    var pattern = Pattern.compile(ShardDatabases.pattern("trips", shards));

    for (int shard = 0; shard < 10_000; shard++) {
      var database = Names.database("trips", shard);
      assertThat(pattern.matcher(database).matches())
          .as(database)
          .isEqualTo(shards.contains(shard));
    }
  }

  @Test
  void the_pattern_of_thousands_of_shards_is_short_and_free_of_commas() {
    assertThat(ShardDatabases.pattern("trips", ShardSet.parse("0-2047")))
        .hasSizeLessThan(150)
        .doesNotContain(",");
  }

  @Test
  void a_database_names_its_shard() {
    assertThat(ShardDatabases.shardOf(Names.database("trips_2", 42))).isEqualTo(42);
    assertThat(ShardDatabases.shardOf(Names.database("trips", 4095))).isEqualTo(4095);
  }
}
