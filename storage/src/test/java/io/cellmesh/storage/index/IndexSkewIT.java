package io.cellmesh.storage.index;

import static io.cellmesh.storage.index.TripsOfDriver.entries;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Skew is measured over all shards of an index. */
class IndexSkewIT {
  @RegisterExtension static final TestIndex index = new TestIndex(TripsOfDriver.DEFINITION);

  @Test
  void skewIsMeasuredOverAllShards() throws SQLException {
    var random = new Random(5);
    for (int i = 0; i < 60; i++) {
      var driver = "d" + i;
      index.write(entries(20, driver, random));
    }
    var even = IndexSkew.read(TripsOfDriver.DEFINITION, index.topology(), index.pools(), false, 3);
    index.write(entries(2_000, "ann", random));
    var gone = entries(500, "bob", random);
    index.write(gone);
    index.write(gone.stream().map(TripsOfDriver::removal).toList());
    var skew = IndexSkew.read(TripsOfDriver.DEFINITION, index.topology(), index.pools(), true, 3);

    int shard = index.topology().shards().of("ann");
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
}
