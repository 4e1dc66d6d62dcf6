package io.cellmesh.storage;

import static io.cellmesh.storage.OneCluster.TOPOLOGY;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.storage.ScriptedConnection.Rows;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class InstanceUpgradeTest {
  @Test
  void one_that_loses_its_connection_says_why_and_not_that_it_is_closed() {
    var lost = new SQLException("Communications link failure", "08S01");
    var server =
        ScriptedConnection.to(
            sql -> {
              if (sql.startsWith("SELECT GET_LOCK")) {
                return Rows.of(List.of("locked"), 1);
              }
              if (sql.startsWith("DO RELEASE_LOCK")) {
                throw new SQLException("No operations allowed after connection closed.", "08003");
              }
              throw lost;
            });
    var upgrade = new InstanceUpgrade(TOPOLOGY);

    assertThatThrownBy(() -> upgrade.run(server, TOPOLOGY.cluster("c1"), step -> {}))
        .isSameAs(lost);
  }
}
