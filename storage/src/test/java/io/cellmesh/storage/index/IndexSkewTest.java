package io.cellmesh.storage.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.storage.index.IndexSkew.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndexSkewTest {
  @Test
  void manyValuesOnShardsOfMuchTheSameSizeAreNoSkew() {
    var skew = skew(400, 480, 320, 400);

    assertThat(skew.warning()).isEmpty();
    assertThat(skew.mean()).isEqualTo(400);
    assertThat(skew.smallest()).isEqualTo(320);
    assertThat(skew.largest()).isEqualTo(480);
    assertThat(skew.largestShard()).isEqualTo(1);
  }

  @Test
  void aShardOfOverFourTimesTheMeanIsSkew() {
    var shares = even(99, 100);
    shares.set(7, share(7, 900, new Value("a", 150), new Value("b", 60)));

    assertThat(IndexSkew.of("pickup_zone", shares, 3).warning())
        .contains(
            "pickup_zone: shard 7, 1 of 99, holds 8.4 % of 10,700 entries, 8.3 times the mean;"
                + " the value \"a\" alone 1.4 %, of 495 values");
  }

  @Test
  void oneValueOfOverTwiceTheMeanIsSkewWhereverItStands() {
    var shares = even(64, 100);
    shares.set(3, share(3, 250, new Value("Midtown Center", 230)));

    assertThat(IndexSkew.of("pickup_zone", shares, 3).warning())
        .hasValueSatisfying(
            w -> assertThat(w).contains("the value \"Midtown Center\" alone 3.5 %"));
  }

  @Test
  void fewEntriesAreNoSkew() {
    var payments = new ArrayList<>(even(64, 0));
    payments.set(54, share(54, 900, new Value("cash", 900)));
    assertThat(IndexSkew.of("payment", payments, 3).warning()).isEmpty();

    payments.set(54, share(54, 1279, new Value("cash", 1279)));
    assertThat(IndexSkew.of("payment", payments, 3).warning()).isEmpty();

    payments.set(54, share(54, 1280, new Value("cash", 1280)));
    assertThat(IndexSkew.of("payment", payments, 3).warning()).isPresent();
  }

  @Test
  void anEmptyIndexHasFiguresAndNoWarning() {
    var skew = IndexSkew.of("payment", even(8, 0), 3);

    assertThat(skew.warning()).isEmpty();
    assertThat(skew.frequent()).isEmpty();
    assertThat(skew.entries()).isZero();
    assertThat(skew.largestShard()).isZero();
  }

  @Test
  void aLongValueIsShortened() {
    var shares = even(64, 100);
    shares.set(3, share(3, 900, new Value("😀".repeat(255), 900)));

    assertThat(IndexSkew.of("name", shares, 3).warning().orElseThrow())
        .contains('"' + "😀".repeat(39) + "…\"");
  }

  private static IndexSkew skew(long... sizes) {
    var shares = new ArrayList<ShardShare>();
    for (int shard = 0; shard < sizes.length; shard++) {
      shares.add(share(shard, sizes[shard], new Value("v" + shard, sizes[shard] / 10)));
    }
    return IndexSkew.of("driver", shares, 3);
  }

  private static ArrayList<ShardShare> even(int shards, long entries) {
    var shares = new ArrayList<ShardShare>();
    for (int shard = 0; shard < shards; shard++) {
      shares.add(
          entries == 0
              ? new ShardShare(shard, 0, 0, List.of())
              : share(shard, entries, new Value("v" + shard, entries / 10)));
    }
    return shares;
  }

  private static ShardShare share(int shard, long entries, Value... frequent) {
    return new ShardShare(shard, entries, 5, List.of(frequent));
  }
}
