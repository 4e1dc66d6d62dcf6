package io.cellmesh.storage.grants;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrantsCheckTest {
  private static final Topology TOPOLOGY =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 2
          partitions: 2
          datacenter: dc1
          clusters:
            - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://db1:3306", domain: rack1}}
          """);
  private static final Account ACCOUNT = new Account("anna", "%", false);

  /** As MySQL prints them. */
  private static final List<String> SINK =
      List.of(
          "GRANT REPLICATION CLIENT ON *.* TO `anna`@`%`",
          "GRANT SELECT ON `trips_meta`.`instance` TO `anna`@`%`",
          "GRANT SELECT, UPDATE (`epoch`) ON `trips_meta`.`epoch` TO `anna`@`%`",
          "GRANT SELECT, INSERT, UPDATE ON `trips_meta`.`position` TO `anna`@`%`",
          "GRANT SELECT, INSERT, DELETE ON `trips_meta`.`buffer` TO `anna`@`%`",
          "GRANT SELECT, INSERT, UPDATE (`record_headers`, `record_key`, `record_timestamp`, `record_value`, `told_at`) ON `trips_meta`.`conflict` TO `anna`@`%`",
          "GRANT SELECT, INSERT ON `trips_0000`.`entity` TO `anna`@`%`",
          "GRANT SELECT, INSERT ON `trips_0001`.`entity` TO `anna`@`%`");

  @Test
  void who_has_everything_lacks_nothing() {
    assertThat(missing(Role.SINK, SINK)).isEmpty();
  }

  @Test
  void each_right_that_is_not_there_is_named() {
    for (int i = 0; i < SINK.size(); i++) {
      var fewer = new ArrayList<>(SINK);
      fewer.remove(i);
      assertThat(missing(Role.SINK, fewer)).as(SINK.get(i)).isNotEmpty();
    }
    var changed = new ArrayList<>(SINK);
    changed.set(7, "GRANT SELECT ON `trips_0001`.`entity` TO `anna`@`%`");
    changed.set(2, "GRANT SELECT ON `trips_meta`.`epoch` TO `anna`@`%`");
    assertThat(missing(Role.SINK, changed))
        .containsExactlyInAnyOrder(
            "INSERT ON trips_0001.entity", "UPDATE (epoch) ON trips_meta.epoch");
  }

  @Test
  void a_right_on_something_wider_counts() {
    assertThat(
            missing(
                Role.SINK,
                List.of(
                    "GRANT SELECT, REPLICATION CLIENT ON *.* TO `anna`@`%`",
                    "GRANT INSERT, UPDATE, DELETE ON `trips\\_meta`.* TO `anna`@`%`",
                    "GRANT ALL PRIVILEGES ON `trips\\_0000`.* TO `anna`@`%`",
                    "GRANT ALL PRIVILEGES ON `trips\\_0001`.* TO `anna`@`%`")))
        .isEmpty();
  }

  private static List<String> missing(Role role, List<String> held) {
    return new GrantsCheck(TOPOLOGY, List.of())
        .missing(role, ACCOUNT, TOPOLOGY.cluster("c1"), held);
  }
}
