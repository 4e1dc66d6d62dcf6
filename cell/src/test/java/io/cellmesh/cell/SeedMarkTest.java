package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What stands at both ends of a seed, and where a link remembers how far it has read one. */
class SeedMarkTest {
  private static final RememberedLog LOG = new RememberedLog("kafka-of-dc1", "log-id");
  private static final RememberedLog SEED = new RememberedLog("kafka-of-dc1", "seed-id");

  @Test
  void a_mark_is_read_as_it_was_written() {
    for (boolean end : new boolean[] {false, true}) {
      var mark = new SeedMark(end, new MeshPlace(LOG, 812));
      assertThat(SeedMark.parse(mark.toJson())).contains(mark);
    }
  }

  @Test
  void a_place_and_a_cell_are_no_marks() {
    assertThat(SeedMark.parse(new MeshPlace(LOG, 812).toJson())).isEmpty();
    assertThat(SeedMark.parse("{\"v\":1,\"row_key\":\"…\"}")).isEmpty();
    assertThat(SeedMark.parse("no JSON")).isEmpty();
    assertThat(SeedMark.parse(null)).isEmpty();
  }

  @Test
  void a_place_in_a_seed_is_none_in_the_log_and_the_other_way_round() {
    var known =
        Map.of(
            MeshPlace.key("dc1", 0),
            new MeshPlace(LOG, 7).toJson(),
            MeshPlace.seedKey("dc1", 0),
            new MeshPlace(SEED, 3).toJson(),
            MeshPlace.seedKey("dc1", 1),
            new MeshPlace(SEED, 4).toJson());
    assertThat(MeshPlace.in(known, "dc1", LOG)).isEqualTo(Map.of(0, 7L));
    assertThat(MeshPlace.inSeed(known, "dc1", SEED)).isEqualTo(Map.of(0, 3L, 1, 4L));
    assertThat(MeshPlace.inSeed(known, "dc1", new RememberedLog("kafka-of-dc1", "another")))
        .isEmpty();
    assertThat(MeshPlace.inSeed(known, "dc2", SEED)).isEmpty();
  }
}
