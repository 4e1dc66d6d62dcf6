package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.storage.ServerFinding.Severity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerRulesTest {
  private static final long NEEDED = 16 << 20;

  private static final Map<String, String> GOOD_MASTER =
      Map.of(
          "sync_binlog", "1",
          "innodb_flush_log_at_trx_commit", "1",
          "log_bin", "ON",
          "binlog_row_image", "FULL",
          "gtid_mode", "ON",
          "enforce_gtid_consistency", "ON",
          "max_allowed_packet", "67108864",
          "binlog_do_db", "",
          "binlog_ignore_db", "");

  private static final Map<String, String> GOOD_MINION = goodMinion();

  @Test
  void a_good_master_and_a_good_minion_leave_nothing_to_say() {
    assertThat(master(GOOD_MASTER)).isEmpty();
    assertThat(minion(GOOD_MINION)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "sync_binlog, 0, 1",
    "sync_binlog, 1000, 1",
    "innodb_flush_log_at_trx_commit, 2, 1",
    "log_bin, OFF, ON",
    "binlog_format, STATEMENT, ROW",
    "binlog_row_image, MINIMAL, FULL",
    "gtid_mode, ON_PERMISSIVE, ON",
    "enforce_gtid_consistency, WARN, ON",
  })
  void a_wrong_value_of_a_master_is_refused_with_the_value_to_set(
      String variable, String value, String wanted) {
    assertThat(master(with(GOOD_MASTER, variable, value)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.refused()).isTrue();
              assertThat(finding.variable()).isEqualTo(variable);
              assertThat(finding.text())
                  .startsWith(
                      "c1 master (db1:3306): %s is %s; set it to %s, because "
                          .formatted(variable, value, wanted));
            });
  }

  @Test
  void durability_can_be_asked_for_as_a_warning() {
    var variables =
        with(with(GOOD_MASTER, "sync_binlog", "0"), "innodb_flush_log_at_trx_commit", "2");
    assertThat(new ServerRules("c1 master (db1:3306)", variables).master(Severity.WARN, NEEDED))
        .hasSize(2)
        .noneMatch(ServerFinding::refused);
  }

  @Test
  void a_packet_that_a_batch_or_a_single_cell_can_exceed_is_refused_with_the_value_to_set() {
    assertThat(master(with(GOOD_MASTER, "max_allowed_packet", "4194304")))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.refused()).isTrue();
              assertThat(finding.text())
                  .endsWith(
                      "max_allowed_packet is 4194304; set it to 16777216 or more, because a batch of cells, or a single large one, is written in one packet");
            });
    assertThat(master(with(GOOD_MASTER, "max_allowed_packet", "16777216"))).isEmpty();
    assertThat(minion(with(GOOD_MINION, "max_allowed_packet", "4194304")))
        .singleElement()
        .matches(finding -> !finding.refused());
  }

  @ParameterizedTest
  @CsvSource({
    "binlog_do_db, trips_meta",
    "binlog_ignore_db, trips_0001",
  })
  void a_filter_on_a_masters_binlog_is_refused(String filter, String value) {
    assertThat(master(with(GOOD_MASTER, filter, value)))
        .singleElement()
        .matches(ServerFinding::refused)
        .asString()
        .contains(filter + " is \"" + value + "\"; remove the filter");
  }

  @Test
  void every_kind_of_filter_on_a_minion_is_refused() {
    for (var filter : ServerVariables.REPLICATION_FILTERS) {
      assertThat(minion(with(GOOD_MINION, filter, "trips_%.%")))
          .singleElement()
          .matches(ServerFinding::refused)
          .asString()
          .contains(filter + " is \"trips_%.%\"; remove the filter");
    }
    assertThat(minion(with(GOOD_MINION, "replica_skip_errors", "1062")))
        .singleElement()
        .matches(ServerFinding::refused);
  }

  @Test
  void commit_order_matters_only_to_a_minion_with_several_appliers() {
    var unordered = with(GOOD_MINION, "replica_preserve_commit_order", "OFF");
    assertThat(minion(unordered)).singleElement().matches(ServerFinding::refused);
    assertThat(minion(with(unordered, "replica_parallel_workers", "0"))).isEmpty();
    assertThat(minion(with(unordered, "replica_parallel_workers", "1"))).isEmpty();
  }

  @Test
  void a_minion_without_a_binlog_or_open_for_writes_is_a_warning() {
    for (var variable : List.of("log_bin", "log_replica_updates", "super_read_only")) {
      assertThat(minion(with(GOOD_MINION, variable, "OFF")))
          .singleElement()
          .matches(finding -> !finding.refused());
    }
  }

  @Test
  void filters_that_the_user_may_not_see_are_a_warning_that_names_the_privilege() {
    var master = new HashMap<>(GOOD_MASTER);
    master.keySet().removeAll(ServerVariables.BINLOG_FILTERS);
    var minion = new HashMap<>(GOOD_MINION);
    minion.keySet().removeAll(ServerVariables.REPLICATION_FILTERS);
    assertThat(master(master)).singleElement().asString().contains("REPLICATION CLIENT");
    assertThat(minion(minion)).singleElement().asString().contains("REPLICATION CLIENT");
  }

  private static List<ServerFinding> master(Map<String, String> variables) {
    return new ServerRules("c1 master (db1:3306)", variables).master(Severity.REFUSE, NEEDED);
  }

  private static List<ServerFinding> minion(Map<String, String> variables) {
    return new ServerRules("c1 minion (db2:3306)", variables).minion(NEEDED);
  }

  private static Map<String, String> goodMinion() {
    var variables = new HashMap<String, String>();
    variables.put("log_bin", "ON");
    variables.put("log_replica_updates", "ON");
    variables.put("super_read_only", "ON");
    variables.put("replica_parallel_workers", "4");
    variables.put("replica_preserve_commit_order", "ON");
    variables.put("replica_skip_errors", "OFF");
    ServerVariables.REPLICATION_FILTERS.forEach(filter -> variables.put(filter, ""));
    return variables;
  }

  private static Map<String, String> with(Map<String, String> base, String name, String value) {
    var changed = new HashMap<>(base);
    changed.put(name, value);
    return changed;
  }
}
