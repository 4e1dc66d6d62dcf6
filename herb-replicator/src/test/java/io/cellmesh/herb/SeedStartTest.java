package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.deployment.Seed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Whether a link may read a seed in place of what its peer's log has lost. */
class SeedStartTest {
  private static final RememberedLog LOG = new RememberedLog("kafka-of-dc2", "log-id");
  private static final RememberedLog SEED = new RememberedLog("kafka-of-dc2", "seed-id");

  /** The log of partition 1 has the records 500 to 899. */
  private static final List<ReadPlace> LOST =
      List.of(new ReadPlace("trips.log", 1, OptionalLong.empty(), 500, 900));

  @Test
  void a_complete_seed_is_read_from_its_begin_and_the_log_goes_on_behind_it() {
    assertThat(start(part(LOG, 800, true), Map.of()).seed())
        .contains(new LinkSeed(SEED, Map.of(1, 3L), Map.of(1, 800L)));
  }

  @Test
  void a_seed_that_was_begun_goes_on_at_the_place_that_is_kept_here() {
    var known = Map.of(MeshPlace.seedKey("dc2", 1), new MeshPlace(SEED, 7).toJson());
    assertThat(start(part(LOG, 800, true), known).seed().orElseThrow().next())
        .isEqualTo(Map.of(1, 7L));
    var another =
        Map.of(
            MeshPlace.seedKey("dc2", 1),
            new MeshPlace(new RememberedLog("kafka-of-dc2", "deleted"), 7).toJson());
    assertThat(start(part(LOG, 800, true), another).seed().orElseThrow().next())
        .as("the place is in a seed that is no more")
        .isEqualTo(Map.of(1, 3L));
  }

  @Test
  void a_seed_that_leaves_a_gap_is_not_read_and_why_is_said() {
    assertThat(start(part(LOG, 800, false), Map.of()).why())
        .isEqualTo(
            "partition 1 of the seed that dc2 has for dc1 is not complete: it is being written, or"
                + " has to be taken up again");
    assertThat(start(part(LOG, 499, true), Map.of()).why())
        .endsWith("goes on at offset 499 of the log, which has 500 to 900");
    assertThat(start(part(LOG, 901, true), Map.of()).why()).contains("goes on at offset 901");
    assertThat(start(part(new RememberedLog("kafka-of-dc2", "x"), 800, true), Map.of()).why())
        .endsWith("goes with another log of it");
    assertThat(start(empty(1), Map.of()).why()).endsWith("is not begun");
  }

  private static SeedStart start(Seed.Part part, Map<String, String> known) {
    var start =
        SeedStart.of(new Seed(SEED, List.of(empty(0), part)), "dc2", LOST, LOG, known, "dc1");
    assertThat(start.seed().isEmpty()).isEqualTo(!start.why().isEmpty());
    return start;
  }

  private static Seed.Part part(RememberedLog log, long next, boolean complete) {
    return new Seed.Part(
        1, Optional.of(new MeshPlace(log, next)), complete, Optional.empty(), 3, 20);
  }

  private static Seed.Part empty(int partition) {
    return new Seed.Part(partition, Optional.empty(), false, Optional.empty(), 0, 0);
  }
}
