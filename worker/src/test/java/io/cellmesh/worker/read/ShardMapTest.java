package io.cellmesh.worker.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.TopologyStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardMapTest {
  private static final String YAML =
      """
      instance: trips
      shards: 1
      partitions: 1
      datacenter: dc1
      clusters:
        - {name: c1, shards: "0", epoch: 3, master: {url: "mysql://m:1", domain: a}}
      """;

  @TempDir private Path dir;

  private Path file;
  private ShardMap map;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(dir.resolve("topology.yaml"), YAML);
    map = new ShardMap(parsed(YAML), TopologyStore.ofFile(file));
  }

  @Test
  void a_map_is_old_once_any_server_knows_a_later_epoch_until_a_newer_one_is_read()
      throws IOException {
    assertThat(map.isCurrent(map.current().cluster("c1"))).isTrue();
    map.saw(Map.of("c1", 4));
    map.saw(Map.of("c1", 3));
    assertThat(map.isCurrent(map.current().cluster("c1"))).isFalse();

    Files.writeString(file, YAML.replace("epoch: 3", "epoch: 4").replace("m:1", "n:1"));
    map.refresh();
    assertThat(map.current().cluster("c1").master().address()).isEqualTo("n:1");
    assertThat(map.isCurrent(map.current().cluster("c1"))).isTrue();
  }

  @Test
  void what_can_not_be_the_same_instances_map_is_left_where_it_is() throws IOException {
    for (var other :
        new String[] {
          "nothing",
          "",
          YAML.replace("trips", "cars"),
          YAML.replace("shards: 1", "shards: 2").replace("\"0\"", "\"0-1\"")
        }) {
      Files.writeString(file, other);
      map.refresh();
      assertThat(map.current()).isEqualTo(parsed(YAML));
    }
    Files.delete(file);
    map.refresh();
    assertThat(map.current()).isEqualTo(parsed(YAML));
  }

  @Test
  void what_a_server_has_of_a_cluster_counts_more_than_an_older_file() throws IOException {
    map.saw(Map.of("c1", 4));
    map.offer(parsed(YAML.replace("epoch: 3", "epoch: 4").replace("m:1", "n:1")), "a server");
    assertThat(map.isCurrent()).isTrue();
    assertThat(map.current().cluster("c1").master().address()).isEqualTo("n:1");

    Files.writeString(file, YAML.replace("domain: a", "domain: b"));
    map.refresh();
    assertThat(map.current().cluster("c1").master().address()).isEqualTo("n:1");
    map.offer(parsed(YAML), "a server that has heard of nothing");
    assertThat(map.current().cluster("c1").master().address()).isEqualTo("n:1");

    Files.writeString(file, YAML.replace("epoch: 3", "epoch: 5").replace("m:1", "o:1"));
    map.refresh();
    assertThat(map.current().cluster("c1").master().address()).isEqualTo("o:1");
  }

  @Test
  void what_a_server_has_of_another_instance_is_not_taken() {
    map.offer(parsed(YAML.replace("trips", "cars").replace("epoch: 3", "epoch: 4")), "a server");
    assertThat(map.current()).isEqualTo(parsed(YAML));
  }

  private static Topology parsed(String yaml) {
    return TopologyYaml.parse(yaml);
  }
}
