package io.cellmesh.storage.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.storage.OneCluster;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.ScriptedConnection;
import io.cellmesh.storage.ScriptedConnection.Rows;
import io.cellmesh.storage.index.IndexVersion.State;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IndexCatalogTest {
  private static final IndexVersion VERSION =
      new IndexVersion(TripsOfDriver.DEFINITION, State.SERVING, "p1", 6);

  private final Pools pools = new Pools(new Credentials("operator", ""));
  private final IndexCatalog catalog = new IndexCatalog(OneCluster.TOPOLOGY, pools);

  @AfterEach
  void close() {
    pools.close();
  }

  @Test
  void a_version_is_written_only_over_an_older_one() throws SQLException {
    var told = new ArrayList<String>();
    catalog.write(
        ScriptedConnection.to(
            sql -> {
              told.add(sql);
              return 2;
            }),
        List.of(VERSION),
        7);

    assertThat(told).hasSize(1);
    assertThat(told.get(0))
        .startsWith("INSERT INTO trips_meta.index_version ")
        .contains(
            " state = IF(new.generation > index_version.generation, new.state, index_version.state),")
        .endsWith(
            " generation = IF(new.generation > index_version.generation, new.generation, index_version.generation)");
  }

  @Test
  void of_two_who_change_a_version_at_once_the_later_is_refused() {
    var overtaken = ScriptedConnection.to(sql -> 0);

    assertThatThrownBy(() -> catalog.write(overtaken, List.of(VERSION), 7))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("another command has changed trips_of_driver")
        .hasMessageContaining("run this again if it is still wanted");
  }

  @Test
  void what_was_changed_since_it_was_read_is_left_alone() {
    var served = new IndexVersion(TripsOfDriver.DEFINITION, State.SERVING, "p1", 7);

    assertThatThrownBy(
            () -> IndexCatalog.requireNewest(List.of(VERSION.in(State.DROPPING)), List.of(served)))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("another command has changed trips_of_driver meanwhile");
    assertThatThrownBy(
            () -> IndexCatalog.requireNewest(List.of(VERSION.in(State.VERIFYING)), List.of()))
        .as("it was dropped meanwhile")
        .isInstanceOf(SQLException.class);
  }

  @Test
  void what_was_read_as_it_stands_and_what_is_new_may_be_written() {
    var second = new IndexVersion(TripsOfDriver.DEFINITION.withVersion(2), State.BUILDING, "p2", 0);
    var changed = List.of(VERSION.in(State.READY), second);

    assertThatCode(() -> IndexCatalog.requireNewest(changed, List.of(VERSION)))
        .doesNotThrowAnyException();
  }

  @Test
  void a_cluster_that_an_interrupted_change_left_behind_is_brought_forward() throws SQLException {
    var told = new ArrayList<String>();
    var second = new IndexVersion(TripsOfDriver.DEFINITION.withVersion(2), State.READY, "p2", 6);
    var third = new IndexVersion(TripsOfDriver.DEFINITION.withVersion(3), State.DROPPING, "p3", 5);

    catalog.level(
        ScriptedConnection.to(
            sql -> {
              told.add(sql);
              return 0;
            }),
        List.of(VERSION, second, third));

    assertThat(told)
        .as("one for each version that is not being dropped")
        .hasSize(2)
        .allSatisfy(sql -> assertThat(sql).endsWith(" AND generation < ?"));
  }

  @Test
  void a_minion_has_a_version_whole_once_it_knows_that_it_is_complete() throws SQLException {
    for (var state : State.values()) {
      assertThat(
              catalog.isComplete(
                  ScriptedConnection.to(sql -> Rows.of(List.of("state"), state.text())), VERSION))
          .as(state.text())
          .isEqualTo(state == State.READY || state == State.SERVING);
    }
    assertThat(
            catalog.isComplete(
                ScriptedConnection.to(sql -> new Rows(List.of("state"), List.of())), VERSION))
        .as("of a version that it has not heard of")
        .isFalse();
  }

  @Test
  void a_minion_without_a_catalogue_has_no_version_whole() throws SQLException {
    var behind =
        ScriptedConnection.to(
            sql -> {
              throw new SQLException("no such table", "42S02", 1146);
            });

    assertThat(catalog.isComplete(behind, VERSION)).isFalse();
  }

  @Test
  void a_minion_is_asked_only_where_no_master_is_up() {
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
                master: {url: "mysql://m1:3306"}
                minions: [{url: "mysql://n1:3306"}]
              - name: c2
                shards: 2-3
                epoch: 1
                master: {url: "mysql://m2:3306"}
                minions: [{url: "mysql://n2:3306"}]
            """);

    assertThat(IndexCatalog.inTurn(topology, server -> !server.host().equals("m1")))
        .extracting(Server::host)
        .containsExactly("m2", "n1", "n2", "m1");
  }
}
