package io.cellmesh.storage;

import static io.cellmesh.storage.OneCluster.TOPOLOGY;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.ScriptedConnection.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class InstanceTableTest {
  private static final List<String> FIXED =
      List.of("shards", "partitions", "datacenter", "cluster", "schema_version", "made_by");

  private static final StorageCluster CLUSTER = TOPOLOGY.cluster("c1");

  @Test
  void of_two_who_create_an_instance_at_once_the_later_finds_that_it_is_there() {
    assertThatCode(() -> InstanceTable.insert(after(Rows.of(FIXED, row(2))), TOPOLOGY, CLUSTER))
        .doesNotThrowAnyException();
  }

  @Test
  void one_that_another_has_created_otherwise_meanwhile_is_refused_with_what_to_restore() {
    assertThatThrownBy(() -> InstanceTable.insert(after(Rows.of(FIXED, row(8))), TOPOLOGY, CLUSTER))
        .isInstanceOf(TopologyMismatchException.class)
        .hasMessageContaining("restore `partitions: 8`");
  }

  @Test
  void any_other_error_is_told_as_it_is() {
    var full = new SQLException("The table 'instance' is full", "HY000", 1114);
    var connection =
        ScriptedConnection.to(
            sql -> {
              throw full;
            });

    assertThatThrownBy(() -> InstanceTable.insert(connection, TOPOLOGY, CLUSTER)).isSameAs(full);
  }

  private static Object[] row(int partitions) {
    return new Object[] {4, partitions, "dc1", "c1", SchemaVersion.CURRENT, "0.1.0"};
  }

  /** To a server on which another one has just created the instance. */
  private static Connection after(Rows others) {
    return ScriptedConnection.to(
        sql -> {
          if (sql.startsWith("INSERT")) {
            throw new SQLException("Duplicate entry 'trips'", "23000", 1062);
          }
          return others;
        });
  }
}
