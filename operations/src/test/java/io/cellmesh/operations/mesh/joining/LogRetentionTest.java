package io.cellmesh.operations.mesh.joining;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.mesh.BareDataCenter;
import org.junit.jupiter.api.Test;

/** What is said of a log that may lose what comes behind a seed. */
class LogRetentionTest {
  private static final DataCenter PEER =
      BareDataCenter.of("dc1", BareDataCenter.nowhere("dc1").topology(), "k1:9092");

  @Test
  void a_log_that_is_kept_needs_nothing() {
    assertThat(LogRetention.warning(PEER, "-1", "-1")).isEmpty();
  }

  @Test
  void one_that_is_cut_is_named_with_the_commands_that_keep_it_and_that_undo_that() {
    assertThat(LogRetention.warning(PEER, "604800000", "-1").orElseThrow())
        .contains("trips.log of dc1 is cut by retention (retention.ms=604800000")
        .contains(
            "`kafka-configs.sh --bootstrap-server k1:9092 --alter --topic trips.log --add-config"
                + " retention.ms=-1,retention.bytes=-1`")
        .contains("--add-config retention.ms=604800000,retention.bytes=-1`");
    assertThat(LogRetention.warning(PEER, "-1", "1073741824")).isPresent();
  }
}
