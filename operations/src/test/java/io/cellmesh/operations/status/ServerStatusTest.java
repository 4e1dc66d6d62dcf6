package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.mesh.BareDataCenter;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines that {@code cellmesh status} gives MySQL servers. */
class ServerStatusTest {
  /** With it, one that is silent costs a second. */
  private static final MySqlOptions OPTIONS =
      new MySqlOptions(
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          2);

  @Test
  void those_that_are_silent_are_waited_for_together_and_stand_in_the_order_of_the_map()
      throws Exception {
    var topology =
        TopologyYaml.parse(
            """
            instance: trips
            shards: 4
            partitions: 2
            datacenter: dc1
            clusters:
              - name: c1
                shards: 0-1
                epoch: 1
                master: {url: "mysql://127.0.0.1:1", domain: r1}
                minions: [{url: "mysql://127.0.0.1:2", domain: r1}, {url: "mysql://127.0.0.1:3", domain: r1}]
              - name: c2
                shards: 2-3
                epoch: 1
                master: {url: "mysql://127.0.0.1:4", domain: r2}
                minions: [{url: "mysql://127.0.0.1:5", domain: r2}, {url: "mysql://127.0.0.1:6", domain: r2}]
            """);
    var dc = BareDataCenter.of("dc1", topology, "127.0.0.1:9");
    var deployment = new Deployment("the test", List.of(dc));

    try (var pools = new Pools(new Credentials("nobody", ""), OPTIONS)) {
      // What a JVM does only once is not what is measured.
      new PartStatus(pools).of(deployment);
      long start = System.nanoTime();
      assertThat(new PartStatus(pools).of(deployment))
          .noneMatch(Part::up)
          .extracting(part -> part.name() + " " + part.address())
          .startsWith(
              "c1 master 127.0.0.1:1",
              "c1 minion 127.0.0.1:2",
              "c1 minion 127.0.0.1:3",
              "c2 master 127.0.0.1:4",
              "c2 minion 127.0.0.1:5",
              "c2 minion 127.0.0.1:6");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }
  }
}
