package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TopologyYamlTest {
  private static final String YAML =
      """
      instance: trips
      shards: 64
      partitions: 16
      datacenter: dc1
      clusters:
        - name: c1
          shards: 0-31
          epoch: 1
          master: {url: "mysql://127.0.0.1:3301", domain: rack1}
          minions: [{url: "mysql://127.0.0.1:3302", domain: rack2}]
        - name: c2
          shards: 32-63
          epoch: 2
          master: {url: "mysql://db2.example:3306"}
      """;

  @Test
  void a_topology_tells_who_owns_a_shard() {
    var topology = TopologyYaml.parse(YAML);
    assertThat(topology.clusterOf(31).name()).isEqualTo("c1");
    assertThat(topology.clusterOf(32).name()).isEqualTo("c2");
    assertThat(topology.cluster("c1").minions().get(0).domain()).isEqualTo("rack2");
  }

  @Test
  void a_server_without_a_domain_fails_with_its_host() {
    assertThat(TopologyYaml.parse(YAML).cluster("c2").master().domain()).isEqualTo("db2.example");
  }

  @Test
  void what_is_written_reads_back_equal() {
    var topology = TopologyYaml.parse(YAML);
    assertThat(TopologyYaml.parse(TopologyYaml.write(topology))).isEqualTo(topology);
  }

  @Test
  void a_gap_is_refused_with_its_shards() {
    refused(YAML.replace("32-63", "34-40,42-63"), "no cluster owns the shards 32-33,41");
  }

  @Test
  void an_overlap_is_refused_with_its_shard_and_both_clusters() {
    refused(YAML.replace("32-63", "31-63"), "shard 31 is claimed by c1 and by c2");
  }

  @Test
  void a_range_past_the_last_shard_is_refused() {
    refused(
        YAML.replace("32-63", "32-64"), "cluster c2: shards 32-64 reach past the last shard, 63");
  }

  @Test
  void an_unknown_cluster_is_refused_with_those_that_exist() {
    assertThatThrownBy(() -> TopologyYaml.parse(YAML).cluster("c9"))
        .hasMessage("cluster \"c9\" is not in the topology; it has [c1, c2]");
  }

  @Test
  void a_cluster_without_a_second_failure_domain_to_buffer_in_is_refused() {
    var topology =
        TopologyYaml.parse(
            YAML.replace("mysql://db2.example:3306\"", "mysql://h:1\", domain: rack1"));
    assertThatThrownBy(topology::requireSecondaries)
        .isInstanceOf(TopologyException.class)
        .hasMessageContaining("cluster c1")
        .hasMessageContaining("failure domain \"rack1\"");
  }

  @Test
  void a_password_in_the_map_is_refused_and_not_repeated() {
    assertThatThrownBy(
            () -> TopologyYaml.parse(YAML.replace("mysql://db2", "mysql://root:secret@db2")))
        .hasMessageContaining("db2.example")
        .hasMessageNotContaining("secret");
  }

  @Test
  void an_unknown_field_is_refused_with_the_known_ones() {
    refused(
        YAML.replace("epoch: 1", "epoche: 1"),
        "clusters: unknown field [epoche]; known are [epoch, master, minions, name, shards]");
  }

  @Test
  void text_that_is_no_yaml_is_refused_with_its_place() {
    assertThatThrownBy(() -> TopologyYaml.parse("instance: ["))
        .hasMessageStartingWith("not YAML at line");
  }

  private static void refused(String yaml, String message) {
    assertThatThrownBy(() -> TopologyYaml.parse(yaml))
        .isInstanceOf(TopologyException.class)
        .hasMessage(message);
  }
}
