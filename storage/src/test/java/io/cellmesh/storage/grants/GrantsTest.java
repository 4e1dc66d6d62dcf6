package io.cellmesh.storage.grants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cell.index.IndexDefinition;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrantsTest {
  private static final Topology TOPOLOGY =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 4
          partitions: 2
          datacenter: dc1
          clusters:
            - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://db1:3306", domain: rack1}}
            - {name: c2, shards: 2-3, epoch: 1, master: {url: "mysql://db2:3306", domain: rack2}}
          """);
  private static final IndexDefinition INDEX =
      IndexDefinition.parse(
          """
          table: driver
          datastore: trips
          column_defs:
            - column_key: BASE
              fields:
                - {field: driver_uuid, type: UUID}
          """);
  private static final Account ACCOUNT = new Account("anna", "10.0.0.%", false);

  @Test
  void a_cluster_gets_what_is_for_its_own_shards() {
    assertThat(statements(Role.SOURCE))
        .anyMatch(sql -> sql.contains("trips_0002.entity"))
        .noneMatch(sql -> sql.contains("trips_0001"));
  }

  @Test
  void only_the_sink_may_add_a_cell_and_nobody_may_change_or_delete_one() {
    var entity = all().filter(sql -> sql.contains(".entity")).toList();
    assertThat(entity.stream().filter(sql -> !sql.contains("GRANT SELECT ON")))
        .allMatch(sql -> sql.startsWith("GRANT SELECT, INSERT ON "))
        .hasSize(2);
    assertThat(all().filter(sql -> sql.contains("_00") && sql.contains(".*")))
        .allMatch(sql -> sql.startsWith("GRANT SELECT ON "));
    assertThat(all()).noneMatch(sql -> sql.contains("ALL ") || sql.contains("GRANT OPTION"));
  }

  @Test
  void the_index_sink_writes_its_own_tables_alone() {
    assertThat(statements(Role.INDEX))
        .containsExactly(
            "CREATE USER IF NOT EXISTS 'anna'@'10.0.0.%' ACCOUNT LOCK",
            "GRANT SELECT ON trips_meta.instance TO 'anna'@'10.0.0.%'",
            "GRANT SELECT, INSERT, UPDATE ON trips_0002.idx_driver_v1 TO 'anna'@'10.0.0.%'",
            "GRANT SELECT, INSERT, UPDATE ON trips_0003.idx_driver_v1 TO 'anna'@'10.0.0.%'");
  }

  @Test
  void the_underscore_of_a_whole_database_stands_for_itself() {
    assertThat(statements(Role.READER))
        .contains("GRANT SELECT ON `trips\\_0002`.* TO 'anna'@'10.0.0.%'");
  }

  @Test
  void who_reads_may_see_how_far_a_minion_is_behind_and_change_nothing() {
    assertThat(statements(Role.READER))
        .contains("GRANT REPLICATION CLIENT ON *.* TO 'anna'@'10.0.0.%'")
        .filteredOn(sql -> sql.startsWith("GRANT"))
        .allMatch(sql -> sql.matches("GRANT (SELECT|REPLICATION CLIENT) ON .*"));
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void no_statement_holds_a_password_and_a_new_account_is_locked(Role role) {
    assertThat(statements(role)).first().asString().endsWith(" ACCOUNT LOCK");
    assertThat(statements(role)).noneMatch(sql -> sql.contains("IDENTIFIED"));
  }

  @Test
  void an_account_can_be_held_to_tls() {
    var account = new Account("anna", "%", true);
    assertThat(grants().of(Role.SINK, account, TOPOLOGY.cluster("c1")))
        .contains("ALTER USER 'anna'@'%' REQUIRE SSL");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a'b", "a b", "a\\", "abcdefghijklmnopqrstuvwxyz_0123456"})
  void a_name_that_would_have_to_be_quoted_is_refused(String user) {
    assertThatThrownBy(() -> new Account(user, "%", false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("user: \"" + user + "\"");
  }

  private static Stream<String> all() {
    return Stream.of(Role.values()).flatMap(role -> statements(role).stream());
  }

  private static List<String> statements(Role role) {
    return grants().of(role, ACCOUNT, TOPOLOGY.cluster("c2"));
  }

  private static Grants grants() {
    return new Grants(TOPOLOGY, List.of(INDEX));
  }
}
