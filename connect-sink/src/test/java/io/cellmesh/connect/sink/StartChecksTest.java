package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.NodeUnavailableException.Why;
import io.cellmesh.storage.SchemaVersionException;
import io.cellmesh.storage.ServerFinding;
import io.cellmesh.storage.ServerFinding.Severity;
import io.cellmesh.storage.ServerHealth;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is asked of servers, known by their hosts, and what their word counts then. */
class StartChecksTest {
  private static final Topology TOPOLOGY =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 2
          partitions: 1
          datacenter: dc1
          clusters:
            - {name: c1, shards: "0", epoch: 1, master: {url: "mysql://db1"}, minions: [{url: "mysql://db2"}]}
            - {name: c2, shards: "1", epoch: 1, master: {url: "mysql://db3"}, minions: [{url: "mysql://db4"}]}
          """);

  private final Set<String> down = ConcurrentHashMap.newKeySet();
  private final Set<String> filtering = ConcurrentHashMap.newKeySet();
  private final Map<String, Exception> failing = new ConcurrentHashMap<>();
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
  private final StartCheckThreads threads = new StartCheckThreads("check");
  private final StartChecks checks =
      new StartChecks(TOPOLOGY, new Health(), this::look, threads, warnings::add);

  @AfterEach
  void end() {
    threads.close();
  }

  @Test
  void every_server_is_judged_at_the_start_and_none_again_unless_its_word_is_asked_for() {
    assertThat(checks.run()).isEmpty();
    assertThat(asked).containsExactlyInAnyOrder("db1", "db2", "db3", "db4");
    assertThat(checks.pending()).isFalse();

    checks.run();
    assertThat(asked).hasSize(4);
  }

  @Test
  void a_minion_is_looked_at_once_each_time_its_word_is_asked_for_and_a_master_is_not() {
    checks.run();
    asked.clear();

    assertThat(checks.sound(server("db2"))).isTrue();
    checks.run();
    assertThat(checks.sound(server("db2"))).isTrue();
    assertThat(checks.sound(server("db1"))).isTrue();

    assertThat(asked).containsExactly("db2", "db2");
  }

  @Test
  void a_minion_that_came_back_with_a_filter_proves_nothing_and_is_refused() {
    checks.run();
    filtering.add("db2");

    assertThat(checks.sound(server("db2"))).isFalse();
    assertThat(checks.sound(server("db4"))).isTrue();
    assertThat(checks.refusals()).extracting(StartChecks.Refusal::text).containsExactly("filter");

    filtering.clear();
    assertThat(checks.sound(server("db2"))).isTrue();
    assertThat(checks.refusals()).isEmpty();
  }

  @Test
  void a_minion_that_went_away_proves_nothing_before_it_was_looked_at_again() {
    checks.run();
    down.add("db2");
    assertThat(checks.sound(server("db2"))).isFalse();
    assertThat(checks.refusals()).isEmpty();

    down.clear();
    asked.clear();
    checks.run();
    assertThat(asked).as("looked at where its word counts alone").isEmpty();
    filtering.add("db2");
    assertThat(checks.sound(server("db2"))).isFalse();
  }

  @Test
  void a_server_that_was_down_at_the_start_is_judged_when_it_answers_and_proves_nothing_before() {
    down.addAll(List.of("db2", "db3"));
    checks.run();
    assertThat(checks.pending()).isTrue();
    assertThat(checks.sound(server("db2"))).isFalse();
    assertThat(checks.sound(server("db3"))).isFalse();

    down.clear();
    filtering.add("db3");
    asked.clear();
    assertThat(checks.run()).hasSize(1);
    assertThat(asked).containsExactlyInAnyOrder("db2", "db3");
    assertThat(checks.sound(server("db3"))).isFalse();
    assertThat(checks.pending()).isFalse();
  }

  @Test
  void a_minion_that_can_not_be_checked_later_on_proves_nothing_and_stops_nobody() {
    down.add("db4");
    checks.run();
    down.clear();
    warnings.clear();
    failing.put("db2", new SQLException("Access denied", "28000", 1045));

    assertThat(checks.sound(server("db2"))).isFalse();
    assertThat(checks.sound(server("db2"))).isFalse();
    assertThat(checks.refusals()).isEmpty();
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("db2", "can't be checked", "no copy goes on its word");

    failing.put("db4", new SQLException("Access denied", "28000", 1045));
    assertThat(checks.run()).as("it was down at the start").isEmpty();
    assertThat(checks.pending()).isTrue();

    failing.clear();
    assertThat(checks.sound(server("db2"))).isTrue();
    assertThat(checks.sound(server("db4"))).isTrue();
    assertThat(checks.pending()).isFalse();
  }

  @Test
  void a_look_that_fails_against_expectation_later_on_is_told_once_and_tried_again() {
    down.add("db3");
    checks.run();
    down.clear();
    warnings.clear();
    failing.put("db2", new IllegalStateException("against expectation"));
    failing.put("db3", new IllegalStateException("against expectation"));

    assertThat(checks.run()).isEmpty();
    checks.run();
    assertThat(checks.pending()).isTrue();
    assertThat(checks.sound(server("db2"))).isFalse();
    assertThat(warnings)
        .hasSize(2)
        .allMatch(text -> text.contains("against expectation; until it can be"));

    failing.clear();
    checks.run();
    assertThat(checks.pending()).isFalse();
    assertThat(checks.sound(server("db2"))).isTrue();
  }

  @Test
  void one_that_can_not_be_checked_at_the_start_is_refused() {
    failing.put("db2", new SQLException("Access denied", "28000", 1045));
    assertThat(checks.run()).singleElement().asString().contains("db2", "can't be checked");
  }

  @Test
  void tables_of_another_version_are_refused_also_on_a_master_that_was_down_at_the_start() {
    down.add("db3");
    checks.run();

    down.clear();
    failing.put("db3", new SchemaVersionException("upgrade them"));
    assertThat(checks.run()).extracting(StartChecks.Refusal::text).containsExactly("upgrade them");
    assertThat(checks.pending()).isFalse();
  }

  @Test
  void what_is_refused_by_nobody_is_told_once() {
    checks.run();
    checks.sound(server("db2"));

    assertThat(warnings).containsExactlyInAnyOrder("db1", "db2", "db3", "db4");
  }

  private List<ServerFinding> look(Server server, StorageCluster cluster)
      throws SQLException, NodeUnavailableException {
    assertThat(cluster.servers()).contains(server);
    asked.add(server.host());
    var failure = failing.get(server.host());
    if (failure instanceof SQLException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (down.contains(server.host())) {
      throw new NodeUnavailableException(server, Why.GONE, "is down", null);
    }
    var warning = new ServerFinding(Severity.WARN, "any", server.host());
    return filtering.contains(server.host())
        ? List.of(warning, new ServerFinding(Severity.REFUSE, "replicate_do_db", "filter"))
        : List.of(warning);
  }

  private static Server server(String host) {
    return TOPOLOGY.clusters().stream()
        .flatMap(cluster -> cluster.servers().stream())
        .filter(server -> server.host().equals(host))
        .findFirst()
        .orElseThrow();
  }

  private final class Health implements ServerHealth {
    @Override
    public boolean healthy(Server server) {
      return !down.contains(server.host());
    }

    @Override
    public boolean writable(Server server) {
      return healthy(server);
    }

    @Override
    public void suspect(Server server) {
      throw new AssertionError("nobody's patience is over");
    }
  }
}
