package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.devstack.SharedMasters;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The map on a real server. */
class TopologyTableIT {
  private static Topology topology;
  private static Pools pools;
  private static TopologyTable table;

  @BeforeAll
  static void start() throws SQLException {
    topology = SharedMasters.stack().topology("dc1");
    pools = new Pools(new Credentials("root", ""), MySqlOptions.DEFAULT.withMultiStatements());
    var first = topology.clusters().get(0);
    new InstanceSchema(topology, pools).create(first, made -> {});
    table = new TopologyTable(topology);
  }

  @AfterAll
  static void stop() throws SQLException {
    pools.run(
        topology.clusters().get(0).master(),
        connection -> {
          try (var statement = connection.createStatement()) {
            statement.execute("DROP TABLE trips_meta.topology");
          }
        });
    pools.close();
  }

  @Test
  void a_cluster_has_no_map_until_it_is_told_and_never_an_older_one_then() throws SQLException {
    pools.run(
        topology.clusters().get(0).master(),
        connection -> {
          assertThat(table.read(connection)).isEmpty();
          table.put(connection, topology);
          assertThat(table.read(connection)).isEqualTo(Optional.of(topology));
          var later = withEpoch(9);
          table.put(connection, later);
          table.put(connection, withEpoch(8));
          assertThat(table.read(connection)).isEqualTo(Optional.of(later));
          assertThat(connection.getAutoCommit()).isTrue();
        });
  }

  private static Topology withEpoch(int epoch) {
    var clusters = new ArrayList<>(topology.clusters());
    var first = clusters.get(0);
    clusters.set(
        0,
        new StorageCluster(first.name(), first.shards(), epoch, first.master(), first.minions()));
    return new Topology(topology.instance(), topology.shards(), topology.datacenter(), clusters);
  }
}
