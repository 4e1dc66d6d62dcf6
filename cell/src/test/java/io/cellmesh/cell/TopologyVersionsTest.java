package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which of two maps knows more of a cluster. */
class TopologyVersionsTest {
  private static final Topology MAP = map(2, "m:1", "n:1", 5);

  @Test
  void of_each_cluster_the_entry_with_the_later_epoch_is_taken() {
    assertThat(MAP.withNewerOf(map(3, "n:1", "", 4))).isEqualTo(map(3, "n:1", "", 5));
    assertThat(map(3, "n:1", "", 4).withNewerOf(MAP)).isEqualTo(map(3, "n:1", "", 5));
    assertThat(MAP.withNewerOf(MAP)).isEqualTo(MAP);
  }

  @Test
  void at_the_same_epoch_only_more_minions_beside_the_same_servers_are_newer() {
    assertThat(MAP.withNewerOf(map(2, "m:1", "n:1,o:1", 5))).isEqualTo(map(2, "m:1", "n:1,o:1", 5));
    assertThat(MAP.withNewerOf(map(2, "m:1", "", 5))).isEqualTo(MAP);
    assertThat(MAP.withNewerOf(map(2, "m:1", "o:1,p:1", 5))).isEqualTo(MAP);
    assertThat(MAP.withNewerOf(map(2, "q:1", "n:1,o:1", 5))).isEqualTo(MAP);
  }

  private static Topology map(int epoch, String master, String minions, int otherEpoch) {
    var list = new StringBuilder();
    for (var minion : minions.isEmpty() ? new String[0] : minions.split(",")) {
      list.append("{url: \"mysql://%s\", domain: b},".formatted(minion));
    }
    return TopologyYaml.parse(
        """
        instance: trips
        shards: 2
        partitions: 1
        datacenter: dc1
        clusters:
          - {name: c1, shards: "0", epoch: %d, master: {url: "mysql://%s", domain: a}, minions: [%s]}
          - {name: c2, shards: "1", epoch: %d, master: {url: "mysql://z:1", domain: c}}
        """
            .formatted(epoch, master, list, otherEpoch));
  }
}
