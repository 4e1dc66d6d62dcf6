package io.cellmesh.operations.mesh.joining;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.TopologyStore;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What is said of a log that may lose what comes behind a seed. */
class LogRetentionTest {
  private static final DataCenter PEER =
      new DataCenter(
          "dc1",
          TopologyYaml.parse(
              """
              instance: trips
              shards: 2
              partitions: 2
              datacenter: dc1
              clusters:
                - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
              """),
          TopologyStore.ofFile(Path.of("topology.yaml")),
          FixedAccess.plain(
              "k1:9092", URI.create("http://127.0.0.1:1"), new Credentials("root", "")));

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
