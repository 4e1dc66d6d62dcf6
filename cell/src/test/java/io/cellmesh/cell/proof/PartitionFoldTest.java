package io.cellmesh.cell.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.proof.FoldedTopic.Entry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PartitionFoldTest {

  @Test
  void however_it_is_cut_and_wherever_it_is_resumed_the_buckets_are_the_same() {
    for (long seed = 0; seed < 50; seed++) {
      var random = new Random(seed);
      var records = disturbed(FoldedTopic.cells(random, 2_000), random);
      var straight = FoldedTopic.of(FoldSource.MESH, records);
      var cut = new FoldedTopic(FoldSource.MESH, true);
      for (int at = 0; at < records.size(); ) {
        int end = Math.min(records.size(), at + 1 + random.nextInt(300));
        cut.fold(records.subList(at, end));
        cut.store();
        if (random.nextBoolean()) {
          cut.restart();
        }
        at = end;
      }
      assertThat(cut.stored())
          .as("seed " + seed)
          .containsExactlyInAnyOrderEntriesOf(straight.stored());
    }
  }

  @Test
  void a_repeat_is_counted_and_changes_no_digest() {
    var cells = FoldedTopic.cells(new Random(1), 500);
    var again = new ArrayList<>(cells);
    again.addAll(cells.subList(400, 500));
    var once = bucketsOf(cells);
    var twice = bucketsOf(again);
    assertThat(twice).hasSameSizeAs(once);
    for (int i = 0; i < once.size(); i++) {
      assertThat(twice.get(i).digest()).isEqualTo(once.get(i).digest());
    }
    assertThat(twice.stream().mapToLong(Bucket::repeats).sum()).isEqualTo(100);
    assertThat(twice.stream().mapToLong(Bucket::inverted).sum()).isZero();
  }

  @Test
  void a_cell_that_comes_late_for_the_first_time_is_an_inversion_wherever_its_bucket_is() {
    var late =
        List.of(cell(10), cell(20), cell(15), cell(15), cell(9_000), cell(5_000), cell(4_095));
    var buckets = bucketsOf(late);
    assertThat(buckets).extracting(Bucket::number).containsExactlyInAnyOrder(0L, 1L, 2L);
    assertThat(buckets.stream().mapToLong(Bucket::inverted).sum()).isEqualTo(2);
    assertThat(buckets.stream().mapToLong(Bucket::repeats).sum()).isEqualTo(2);
    assertThat(buckets.stream().mapToInt(Bucket::count).sum()).isEqualTo(5);
  }

  @Test
  void a_key_is_read_as_it_was_written_and_another_one_not_at_all() {
    var key = new BucketKey(FoldSource.MESH, new OriginShard("dc2", 1, 42), 3);
    assertThat(key.text()).isEqualTo("mesh|dc2|1|42|3");
    assertThat(BucketKey.parse(key.text())).contains(key);
    assertThat(List.of("mesh|place|7", "mesh|dc2|1|42|-3", "hash|dc2|1|42|3", "", "mesh|dc2|1|42"))
        .allSatisfy(text -> assertThat(BucketKey.parse(text)).isEmpty());
    var place = new FoldPlace(FoldSource.LOG, 7, "id", 3, 9, true, 4, 1, 2, 5);
    assertThat(FoldPlace.read("log|place|7", place.value())).contains(place);
    assertThat(FoldPlace.read(key.text(), place.value())).isEmpty();
    assertThat(BucketCodec.read(key, "{\"blocks\":\"AA==\"}".getBytes(StandardCharsets.UTF_8)))
        .isEmpty();
  }

  private static Entry cell(long id) {
    return new Entry(0, id, id * 31);
  }

  private static List<Bucket> bucketsOf(List<Entry> entries) {
    var buckets = new ArrayList<Bucket>();
    FoldedTopic.of(FoldSource.LOG, entries)
        .tell(
            (key, value) ->
                BucketCodec.read(
                        BucketKey.parse(new String(key, StandardCharsets.UTF_8)).orElseThrow(),
                        value)
                    .ifPresent(buckets::add));
    return buckets;
  }

  /** Repeats stretches and moves single records, as no topic should. */
  private static List<Entry> disturbed(List<Entry> cells, Random random) {
    var records = new ArrayList<>(cells);
    for (int i = 0; i < 10; i++) {
      int from = random.nextInt(records.size() - 50);
      records.addAll(from + 50, List.copyOf(records.subList(from, from + random.nextInt(50))));
      records.add(random.nextInt(records.size()), records.remove(random.nextInt(records.size())));
    }
    return records;
  }
}
