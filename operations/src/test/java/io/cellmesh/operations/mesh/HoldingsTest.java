package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.proof.BucketCodec;
import io.cellmesh.cell.proof.FoldPlace;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.PartitionFold;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class HoldingsTest {
  private static final Shards SHARDS = new Shards(4, 2);

  @Test
  void the_greatest_id_is_that_of_whatever_was_folded_or_seen() {
    var holdings = holdings(0);
    fold(holdings, FoldSource.MESH, new PartitionFold(FoldSource.MESH, true), 10, 5_000, 9_000);
    assertThat(holdings.last(0)).isEqualTo(9_000);
    fold(holdings, FoldSource.LOG, new PartitionFold(FoldSource.LOG, true), 9_100);
    assertThat(holdings.last(0)).isEqualTo(9_100);
    holdings.seen(0, 9_050);
    holdings.seen(0, 9_200);
    assertThat(holdings.last(0)).isEqualTo(9_200);
    assertThat(holdings.last(2)).isEqualTo(Holdings.NONE);
  }

  @Test
  void cells_of_another_origin_are_not_held() {
    var holdings = new Holdings("dc9", SHARDS);
    topics(holdings, 0);
    fold(holdings, FoldSource.MESH, new PartitionFold(FoldSource.MESH, true), 10);
    assertThat(holdings.last(0)).isEqualTo(Holdings.NONE);
  }

  @Test
  void reading_begins_with_the_bucket_that_has_the_next_cell() {
    // Offsets 100, 101, 102; buckets 0, 1 and 2.
    var holdings = holdings(50);
    fold(holdings, FoldSource.MESH, new PartitionFold(FoldSource.MESH, true), 10, 5_000, 9_000);
    assertThat(holdings.start(FoldSource.MESH, 0, Holdings.NONE)).hasValue(100);
    assertThat(holdings.start(FoldSource.MESH, 0, 10)).hasValue(101);
    assertThat(holdings.start(FoldSource.MESH, 0, 8_999)).hasValue(102);
  }

  @Test
  void behind_all_that_is_folded_it_begins_where_the_folding_goes_on() {
    var holdings = holdings(50);
    fold(holdings, FoldSource.MESH, new PartitionFold(FoldSource.MESH, true), 10);
    assertThat(holdings.start(FoldSource.MESH, 0, 10)).hasValue(500);
    assertThat(holdings.start(FoldSource.MESH, 2, Holdings.NONE)).hasValue(500);
  }

  @Test
  void what_expired_can_not_be_read_and_what_never_expired_can() {
    var cut = holdings(102);
    fold(cut, FoldSource.MESH, new PartitionFold(FoldSource.MESH, true), 10, 5_000, 9_000);
    assertThat(cut.start(FoldSource.MESH, 0, 10)).isEmpty();
    assertThat(cut.start(FoldSource.MESH, 0, 5_000)).hasValue(102);

    assertThat(holdings(0).start(FoldSource.LOG, 0, 10)).hasValue(0);
    assertThat(holdings(1).start(FoldSource.LOG, 0, 10)).isEmpty();
  }

  @Test
  void a_bucket_that_was_folded_in_part_does_not_say_that_nothing_is_missing_before_it() {
    var holdings = holdings(50);
    fold(holdings, FoldSource.MESH, new PartitionFold(FoldSource.MESH, false), 20, 30);
    assertThat(holdings.start(FoldSource.MESH, 0, 10)).isEmpty();
    assertThat(holdings.start(FoldSource.MESH, 0, 19)).hasValue(100);
  }

  @Test
  void places_in_a_topic_that_was_there_before_count_for_nothing() {
    var holdings = new Holdings("dc2", SHARDS);
    for (var source : FoldSource.values()) {
      holdings.topic(source, "made again", List.of(50L, 50L));
    }
    fold(holdings, FoldSource.MESH, new PartitionFold(FoldSource.MESH, true), 10, 5_000);
    assertThat(holdings.start(FoldSource.MESH, 0, 10)).isEmpty();
  }

  private static Holdings holdings(long begin) {
    var holdings = new Holdings("dc2", SHARDS);
    topics(holdings, begin);
    return holdings;
  }

  private static void topics(Holdings holdings, long begin) {
    for (var source : FoldSource.values()) {
      holdings.topic(source, "topic", List.of(begin, begin));
    }
  }

  /** Cells of dc2 in shard 0, of partition 0, from offset 100 on; the folding has come to 500. */
  private static void fold(Holdings holdings, FoldSource source, PartitionFold fold, long... ids) {
    long offset = 100;
    for (long id : ids) {
      fold.fold(new Origin("dc2", id), 0, id, offset++, 1);
    }
    fold.takeChanged()
        .forEach(
            (key, bucket) -> holdings.checkpoint(bytes(key.text()), BucketCodec.write(bucket)));
    var place = new FoldPlace(source, 0, "topic", 500, 500, true, 0, 0, 0, 1);
    holdings.checkpoint(bytes(place.key()), place.value());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
