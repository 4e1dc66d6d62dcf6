package io.cellmesh.triggers;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.triggers.Finished.Run;
import io.cellmesh.triggers.Finished.ShardIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FinishedTest {
  @Test
  void what_is_written_down_is_read_again() {
    for (long seed = 0; seed < 2_000; seed++) {
      var random = new Random(seed);
      long offset = random.nextLong() >>> 1 + random.nextInt(62);
      var finished =
          new Finished(
              runs(offset, random.nextInt(40), random), shards(random.nextInt(40), random));

      var metadata = finished.encode(offset);

      assertThat(Finished.decode(offset, metadata)).as("seed " + seed).isEqualTo(finished);
    }
  }

  @Test
  void nothing_is_an_empty_text() {
    assertThat(Finished.NOTHING.encode(7)).isEmpty();
    assertThat(Finished.decode(7, "")).isEqualTo(Finished.NOTHING);
  }

  @Test
  void the_256_shards_of_a_partition_fit_with_hundreds_of_millions_of_cells_each() {
    var shards = new ArrayList<ShardIds>();
    for (int i = 0; i < 256; i++) {
      shards.add(new ShardIds(i * 16 + 15, new MetIds(130_000_000, 260_000_000 + i), 0));
    }
    var finished = new Finished(List.of(new Run(1_000_000, 1_000_100)), shards);

    assertThat(Finished.decode(9, finished.encode(9))).isEqualTo(finished);
  }

  @Test
  void of_more_than_fits_the_shards_of_which_a_cell_was_finished_last_are_kept() {
    var shards = new ArrayList<ShardIds>();
    for (int i = 0; i < 1_000; i++) {
      shards.add(new ShardIds(i, new MetIds(1L << 40, 1L << 41), i * 7919L % 1_000));
    }
    var metadata = new Finished(runs(5, 2_000, new Random(1)), shards).encode(5);

    assertThat(metadata.length()).isBetween(3_900, Finished.LONGEST);
    var kept = Finished.decode(5, metadata).shards();
    assertThat(kept.size()).isBetween(50, 200);
    assertThat(kept)
        .allSatisfy(
            shard ->
                assertThat(shard.shard() * 7919L % 1_000)
                    .isGreaterThanOrEqualTo(1_000 - kept.size()));
  }

  @Test
  void of_more_runs_than_fit_the_first_are_kept() {
    var runs = runs(5, 5_000, new Random(1));

    var kept = Finished.decode(5, new Finished(runs, List.of()).encode(5)).runs();

    assertThat(kept.size()).isGreaterThan(500);
    assertThat(kept).isEqualTo(runs.subList(0, kept.size()));
  }

  @Test
  void metadata_of_another_version_offset_or_that_is_damaged_says_nothing() {
    var random = new Random(3);
    var whole = new Finished(runs(100, 5, random), shards(5, random));
    var metadata = whole.encode(100);
    assertThat(Finished.decode(101, metadata)).isEqualTo(Finished.NOTHING);
    assertThat(Finished.decode(100, "2" + metadata.substring(1))).isEqualTo(Finished.NOTHING);
    assertThat(Finished.decode(100, "1")).isEqualTo(Finished.NOTHING);
    assertThat(Finished.decode(100, "somebody else's")).isEqualTo(Finished.NOTHING);
    for (int i = 0; i < metadata.length(); i++) {
      var damaged = new StringBuilder(metadata);
      damaged.setCharAt(i, metadata.charAt(i) == 'A' ? 'B' : 'A');
      // The last character may have bits that mean nothing.
      assertThat(Finished.decode(100, damaged.toString()))
          .isIn(
              i < metadata.length() - 1
                  ? List.of(Finished.NOTHING)
                  : List.of(Finished.NOTHING, whole));
      assertThat(Finished.decode(100, metadata.substring(0, i))).isEqualTo(Finished.NOTHING);
    }
  }

  @Test
  void runs_never_take_more_than_what_is_reckoned_for_their_number_and_span() {
    for (long seed = 0; seed < 500; seed++) {
      var random = new Random(seed);
      var runs = runs(1_000, 1 + random.nextInt(300), random);
      long span = runs.get(runs.size() - 1).end() - 1_000;

      int characters = new Finished(runs, List.of()).encode(1_000).length() - 1;

      int rest = Integer.BYTES + 2 + 1;
      assertThat(characters * 3L / 4 - rest)
          .as("seed " + seed)
          .isLessThanOrEqualTo(Finished.mostBytes(runs.size(), span));
    }
  }

  private static List<Run> runs(long offset, int count, Random random) {
    var runs = new ArrayList<Run>();
    long end = offset;
    for (int i = 0; i < count; i++) {
      long first = end + 1 + random.nextInt(1 << random.nextInt(10));
      end = first + 1 + random.nextInt(1 << random.nextInt(10));
      runs.add(new Run(first, end));
    }
    return runs;
  }

  private static List<ShardIds> shards(int count, Random random) {
    var shards = new ArrayList<ShardIds>();
    int shard = 0;
    for (int i = 0; i < count; i++) {
      shard += 1 + random.nextInt(64);
      long first = 1 + random.nextInt(100);
      long lowest = 200 + random.nextInt(1 << random.nextInt(30));
      long highest = lowest + random.nextInt(1 << random.nextInt(30));
      var ids =
          random.nextBoolean()
              ? new MetIds(lowest, highest)
              : new MetIds(lowest, highest, first, first + random.nextInt(50));
      shards.add(new ShardIds(shard, ids, 0));
    }
    return shards;
  }
}
