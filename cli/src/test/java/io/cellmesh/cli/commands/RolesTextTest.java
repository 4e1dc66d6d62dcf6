package io.cellmesh.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.TopologyYaml;
import org.junit.jupiter.api.Test;

class RolesTextTest {
  @Test
  void aClusterIsItsMasterAndItsMinions() {
    var topology =
        TopologyYaml.parse(
            """
            instance: trips
            shards: 2
            partitions: 2
            datacenter: dc1
            clusters:
              - {name: c1, shards: "0", epoch: 3, master: {url: "mysql://a:1"}, minions: [{url: "mysql://b:2"}, {url: "mysql://c:3"}]}
              - {name: c2, shards: "1", epoch: 1, master: {url: "mysql://d:4"}}
            """);

    assertThat(RolesText.line(topology.cluster("c1")))
        .isEqualTo("c1: master a:1, minions b:2, c:3");
    assertThat(RolesText.line(topology.cluster("c2"))).isEqualTo("c2: master d:4, no minion");
    assertThat(RolesText.lineWithEpoch(topology.cluster("c1")))
        .isEqualTo("c1: master a:1, epoch 3, minions b:2, c:3");
  }
}
