package io.cellmesh.operations.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyRolloutTest {
  private static final String WRITTEN_BY_HAND =
      """
      instance: trips
      shards: 4
      partitions: 2
      datacenter: dc1
      clusters:
        - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://db1:3306"}, minions: [{url: "mysql://db2:3306"}]}
        - {name: c2, shards: 2-3, epoch: 1, master: {url: "mysql://db3:3306"}, minions: [{url: "mysql://db4:3306"}]}
      """;

  @TempDir private Path directory;

  @Test
  void what_another_command_has_written_of_another_cluster_meanwhile_stays() throws IOException {
    var store = store();
    var read = store.read();

    TopologyRollout.write(store, promoted(read, "c1").cluster("c1"));
    TopologyRollout.write(store, promoted(read, "c2").cluster("c2"));

    assertThat(store.read()).isEqualTo(promoted(promoted(read, "c1"), "c2"));
  }

  @Test
  void a_plan_for_a_cluster_that_another_command_has_changed_since_is_not_carried_out()
      throws IOException {
    var store = store();
    var read = store.read();
    TopologyRollout.requireUnchanged(store, read.cluster("c1"));

    TopologyRollout.write(store, promoted(read, "c1").cluster("c1"));

    assertThatThrownBy(() -> TopologyRollout.requireUnchanged(store, read.cluster("c1")))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("another command has changed c1 since this one looked at it");
    TopologyRollout.requireUnchanged(store, read.cluster("c2"));
  }

  /** As where many clusters get another master at once: it had read before this one wrote. */
  @Test
  void what_another_command_writes_over_it_is_written_again() throws Exception {
    var before = TopologyYaml.parse(WRITTEN_BY_HAND.replaceAll("db(\\d):3306", "127.0.0.1:$1"));
    var after = promoted(before, "c1");
    var another = promoted(before, "c2");
    var store = store();
    store.write(after);

    try (var connect = new RecordedConnect()) {
      connect.put("trips-sink", sink(before));
      connect.during(
          "GET trips-sink/status",
          () -> {
            connect.during("GET trips-sink/status", () -> {});
            connect.put("trips-sink", sink(another));
            write(store, another);
          });

      publish(after, store, connect);

      var both = promoted(after, "c2");
      assertThat(TopologyYaml.parse(connect.config("trips-sink").get("topology"))).isEqualTo(both);
      assertThat(store.read()).isEqualTo(both);
    }
  }

  /** As where the session that held the lock was ended. */
  @Test
  void what_another_command_has_made_of_the_same_cluster_since_stays_in_the_file()
      throws Exception {
    var before = TopologyYaml.parse(WRITTEN_BY_HAND.replaceAll("db(\\d):3306", "127.0.0.1:$1"));
    var old = before.cluster("c1");
    var since =
        ServerInquiry.with(
            before, new StorageCluster("c1", old.shards(), 3, old.master(), List.of()));
    var store = store();
    store.write(since);

    try (var connect = new RecordedConnect()) {
      publish(promoted(before, "c1"), store, connect);
    }

    assertThat(store.read()).isEqualTo(since);
  }

  private static void publish(Topology after, TopologyStore store, RecordedConnect connect)
      throws Exception {
    var access = FixedAccess.plain("127.0.0.1:9", connect.url(), new Credentials("root", ""));
    var site = new DataCenter("dc1", after, store, access);
    TopologyRollout.publish(site, after, "c1", false, Set.of("c1"), says -> {});
  }

  private static Map<String, String> sink(Topology topology) {
    return Map.of(
        "connector.class",
        "io.cellmesh.connect.sink.CellSinkConnector",
        "topology",
        TopologyYaml.write(topology));
  }

  private static void write(TopologyStore store, Topology topology) {
    try {
      store.write(topology);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private TopologyStore store() throws IOException {
    return TopologyStore.ofFile(
        Files.writeString(directory.resolve("topology.yaml"), WRITTEN_BY_HAND));
  }

  private static Topology promoted(Topology topology, String name) {
    var before = topology.cluster(name);
    return ServerInquiry.with(
        topology, new StorageCluster(name, before.shards(), 2, before.minions().get(0), List.of()));
  }
}
