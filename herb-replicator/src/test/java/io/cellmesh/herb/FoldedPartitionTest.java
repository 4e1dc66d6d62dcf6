package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.cellmesh.cell.Origin;
import io.cellmesh.cell.proof.Bucket;
import io.cellmesh.cell.proof.BucketCodec;
import io.cellmesh.cell.proof.FoldPlace;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.PartitionFold;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FoldedPartitionTest {
  private static final String TOPIC = "an-id";
  private static final String BUCKET = "mesh|dc2|1|3|0";

  private final FoldedPartition partition = new FoldedPartition(FoldSource.MESH, 3);
  private final Map<String, byte[]> stored = new LinkedHashMap<>();

  @BeforeEach
  void foldSomething() {
    var fold = new PartitionFold(FoldSource.MESH, true);
    fold.fold(new Origin("dc2", 7), 3, 1, 40, 0);
    store(fold);
    var place = new FoldPlace(FoldSource.MESH, 3, TOPIC, 41, 50, true, 0, 0, 2, 0);
    stored.put(place.key(), place.value());
  }

  @Test
  void a_partition_that_was_never_folded_is_folded_from_its_first_record() {
    var begin = partition.begin(TOPIC, 0, 50);
    assertThat(begin.next()).isZero();
    assertThat(begin.fold().whole()).isTrue();
    assertThat(new FoldedPartition(FoldSource.MESH, 3).begin(TOPIC, 9, 50).fold().whole())
        .isFalse();
  }

  @Test
  void it_goes_on_at_the_place_of_what_is_stored() {
    read();
    var begin = partition.begin(TOPIC, 0, 50);
    assertThat(begin.next()).isEqualTo(41);
    assertThat(begin.damaged()).isEqualTo(2);
    assertThat(begin.outdated()).isEmpty();
    begin.fold().fold(new Origin("dc2", 8), 3, 5, 41, 0);
    store(begin.fold());
    assertThat(text(BUCKET)).contains("\"count\":2", "\"last\":8", "\"last_offset\":41");
  }

  @Test
  void what_another_folding_stored_is_left_alone() {
    stored.put("log|dc2|1|3|0", stored.get(BUCKET));
    stored.remove(BUCKET);
    stored.put("log|place|3", stored.remove("mesh|place|3"));
    read();
    assertThat(partition.begin(TOPIC, 0, 50).next()).isZero();
    assertThat(partition.begin("another", 0, 50).outdated()).isEmpty();
  }

  @Test
  void a_topic_that_was_made_again_or_cut_at_its_end_is_folded_anew_and_what_was_stored_goes() {
    read();
    for (var begin :
        new FoldedPartition.Begin[] {
          partition.begin("another", 0, 50), partition.begin(TOPIC, 0, 40)
        }) {
      assertThat(begin.next()).isZero();
      assertThat(begin.outdated()).containsExactly(BUCKET);
      begin.fold().fold(new Origin("dc2", 9), 3, 5, 0, 0);
      assertThat(begin.fold().takeChanged().values())
          .singleElement()
          .satisfies(bucket -> assertThat(bucket.count()).isEqualTo(1));
    }
  }

  @Test
  void what_expired_before_it_was_folded_is_told_and_not_proved() {
    read();
    var begin = partition.begin(TOPIC, 45, 50);
    assertThat(begin.cut()).isTrue();
    assertThat(begin.next()).isEqualTo(45);
    assertThat(begin.fold().whole()).isFalse();
    begin.fold().fold(new Origin("dc2", 20), 3, 5, 45, 0);
    assertThat(begin.fold().takeChanged().values())
        .singleElement()
        .satisfies(bucket -> assertThat(bucket.from()).isEqualTo(20));
  }

  /** Else all that had expired would be called missing as soon as the shard's next cell comes. */
  @Test
  void a_shard_that_was_met_last_before_records_expired_is_folded_anew_after_a_restart_too() {
    var place = new FoldPlace(FoldSource.MESH, 3, TOPIC, 45, 50, false, 7, 45, 2, 0);
    stored.put(place.key(), place.value());
    read();
    var begin = partition.begin(TOPIC, 45, 50);
    assertThat(begin.cut()).isFalse();
    assertThat(begin.fold().cutTo()).isEqualTo(45);
    begin.fold().fold(new Origin("dc2", 20), 3, 5, 45, 0);
    store(begin.fold());

    // One that was met since goes on, as does the next bucket of it.
    var again = new FoldedPartition(FoldSource.MESH, 3);
    stored.forEach((key, value) -> again.stored(key.getBytes(StandardCharsets.UTF_8), value));
    var next = again.begin(TOPIC, 45, 50).fold();
    next.fold(new Origin("dc2", 21), 3, 5, 46, 0);
    next.fold(new Origin("dc2", 9_000), 3, 5, 47, 0);
    assertThat(next.takeChanged().values())
        .extracting(Bucket::from, Bucket::count)
        .containsExactly(tuple(20L, 2), tuple(20L, 1));
  }

  private void store(PartitionFold fold) {
    fold.takeChanged().forEach((key, bucket) -> stored.put(key.text(), BucketCodec.write(bucket)));
  }

  private void read() {
    stored.forEach((key, value) -> partition.stored(key.getBytes(StandardCharsets.UTF_8), value));
  }

  private String text(String key) {
    return new String(stored.get(key), StandardCharsets.UTF_8);
  }
}
