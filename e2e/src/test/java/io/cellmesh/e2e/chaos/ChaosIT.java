package io.cellmesh.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.UnderTarget;
import io.cellmesh.e2e.faults.Figures;
import io.cellmesh.e2e.faults.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Whatever comes, in an order that nobody thought of. */
class ChaosIT {
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  private static Path state;

  private static final String SEED = "20160122";

  /** A build's machine may be slow; a stack that can't keep up recovers from nothing. */
  private static final String RATE = Figures.isFull() ? "500" : "100";

  /**
   * A minute has time for a few, and the seed makes them the same ones in every build: those whose
   * scenarios, in FaultsIT and LogIT, wait for the full one.
   */
  private static final List<String> SHORT =
      List.of("--faults", "master-stop,minion-kill,worker-kill,worker-stop");

  @Test
  void no_cell_suffers_from_a_minute_of_chaos() throws Exception {
    chaos(1, SHORT);
  }

  @Test
  @Tag("full")
  void no_cell_suffers_from_five_minutes_of_chaos() throws Exception {
    chaos(Integer.getInteger("cellmesh.chaos.minutes", 5), List.of());
  }

  private static void chaos(int minutes, List<String> more) throws Exception {
    var words =
        new ArrayList<>(List.of("chaos", "--minutes", Integer.toString(minutes), "--seed", SEED));
    words.addAll(List.of("--rate", RATE, "--at-once", "2", "--state", state.toString(), "--json"));
    words.addAll(more);
    var run = Command.run(words.toArray(String[]::new));
    var said = run.out() + run.err();
    Report.line("chaos, seed %s: %s", SEED, said);
    assertThat(run.exit()).as(said).isZero();
    var result = new ObjectMapper().readTree(run.out());
    assertThat(result.get("lost").asLong()).isZero();
    assertThat(result.get("reordered").asLong()).isZero();
    assertThat(result.get("repeated").asLong()).isZero();
    assertThat(result.get("phantom_rejections").asLong()).isZero();
    assertThat(result.get("told_as_another").asLong()).isZero();
    assertThat(result.get("deleted_once_secured").asLong()).isPositive();
    assertThat(result.get("conflicts_reported").asLong())
        .isPositive()
        .isEqualTo(result.get("conflicts_sent").asLong());
    assertThat(result.get("stale_reads").asLong()).isZero();
    assertThat(result.get("reads").asLong()).isPositive();
    assertThat(result.get("writes").asLong()).isPositive();
    assertThat(result.get("misjudged").asLong()).isZero();
    assertThat(result.get("rejections_compared").asLong()).isPositive();
    assertThat(result.get("not_triggered").asLong()).isZero();
    assertThat(result.get("triggered_out_of_order").asLong()).isZero();
    assertThat(result.get("verification").toString()).contains("INDEX");
    assertThat(result.get("faults")).as("faults").hasSizeGreaterThanOrEqualTo(least(minutes));
  }

  /** Two a minute are promised, on a machine that has nothing else to do. */
  private static int least(int minutes) {
    return Figures.isFull() ? 2 * minutes : minutes;
  }
}
