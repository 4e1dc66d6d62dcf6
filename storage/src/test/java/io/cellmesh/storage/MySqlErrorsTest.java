package io.cellmesh.storage;

import static io.cellmesh.storage.MySqlErrors.Verdict.CONTENTION;
import static io.cellmesh.storage.MySqlErrors.Verdict.FATAL;
import static io.cellmesh.storage.MySqlErrors.Verdict.UNAVAILABLE;
import static io.cellmesh.storage.MySqlErrors.explain;
import static io.cellmesh.storage.MySqlErrors.isNoSuchTable;
import static io.cellmesh.storage.MySqlErrors.turnsAway;
import static io.cellmesh.storage.MySqlErrors.verdict;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import java.io.EOFException;
import java.net.ConnectException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MySqlErrorsTest {

  @ParameterizedTest
  @CsvSource({
    "1040, 08004, Too many connections",
    "1203, 42000, User sink already has more than 'max_user_connections' active connections",
    "1226, 42000, User 'sink' has exceeded the 'max_updates_per_hour' resource",
    "1114, HY000, The table 'buffer' is full",
    "1598, HY000, Binary logging not possible. Message: An error occurred during flush stage of the commit. 'binlog_error_action' is set to 'ABORT_SERVER'. Server is being stopped.",
    "1037, HY001, Out of memory; restart server and try again",
    "1041, HY000, Out of memory",
    "1053, 08S01, Server shutdown in progress",
    "1290, HY000, The MySQL server is running with the --super-read-only option",
    "1836, HY000, Running in read-only mode",
    "1874, HY000, InnoDB is in read only mode.",
    "3032, HY000, The server is currently in offline mode",
    "3100, HY000, Error on observer while running replication hook 'before_commit'.",
    "3168, HY000, Server isn't available",
    "3169, HY000, Session was killed",
    "4031, HY000, The client was disconnected by the server because of inactivity",
  })
  void a_server_that_can_take_no_writes_now_is_unavailable(int code, String state, String text) {
    assertThat(verdict(new SQLException(text, state, code))).isEqualTo(UNAVAILABLE);
  }

  @ParameterizedTest
  @CsvSource({
    "1030, Got error 28 - 'No space left on device' from storage engine",
    "1026, Error writing file '/tmp/MLfd=40' (errno: 28 - No space left on device)",
    "1180, Got error 122 - 'Disk quota exceeded' during COMMIT",
    "1026, Error writing file './binlog.000012' (errno: 27 - File too large)",
    "3, Error writing file './binlog.000012' (OS errno 28 - No space left on device)",
  })
  void no_room_on_the_disk_is_unavailable_whatever_stumbled_over_it(int code, String text) {
    assertThat(verdict(new SQLException(text, "HY000", code))).isEqualTo(UNAVAILABLE);
  }

  @Test
  void another_error_of_the_storage_engine_is_fatal() {
    var text = "Got error 168 - 'Unknown (generic) error from engine' from storage engine";
    assertThat(verdict(new SQLException(text, "HY000", 1030))).isEqualTo(FATAL);
    var full = "Got error 1228 - 'whatever' from storage engine";
    assertThat(verdict(new SQLException(full, "HY000", 1030))).isEqualTo(FATAL);
  }

  @ParameterizedTest
  @ValueSource(ints = {1205, 1213, 1317, 3024, 3101, 3572})
  void locks_and_time_limits_are_contention(int code) {
    assertThat(verdict(new SQLException("x", "HY000", code))).isEqualTo(CONTENTION);
  }

  @ParameterizedTest
  @ValueSource(strings = {"08S01", "08001", "08003"})
  void a_lost_connection_is_unavailable(String state) {
    assertThat(verdict(new SQLException("x", state, 0))).isEqualTo(UNAVAILABLE);
    var late = new SQLTransientConnectionException("no connection in time");
    assertThat(verdict(late)).isEqualTo(UNAVAILABLE);
    var named = new ServerFailure(new Topology.Server("db1", 3306, "rack1"), late);
    assertThat(verdict(named)).isEqualTo(UNAVAILABLE);
  }

  @Test
  void a_refused_password_is_fatal_although_the_pool_says_that_it_has_no_connection() {
    var refused = new SQLException("Access denied for user 'sink'@'x'", "28000", 1045);
    for (var pool :
        List.of(
            new SQLTransientConnectionException("not available", "08001", refused),
            new SQLTransientConnectionException("not available", "08001", 1045, refused))) {
      assertThat(verdict(pool)).isEqualTo(FATAL);
      assertThat(explain(pool))
          .isEqualTo(
              "Access denied for user 'sink'@'x'; look at mysql.user, its password and its account");
    }
  }

  @Test
  void a_server_that_does_not_prove_who_it_is_is_fatal_and_one_that_hangs_up_is_only_unavailable() {
    var other = new SSLHandshakeException("PKIX path building failed");
    other.initCause(new CertificateException("no path to a trust anchor"));
    var link = new SQLException("Communications link failure", "08S01", other);
    var pool = new SQLTransientConnectionException("not available", "08S01", link);
    assertThat(verdict(pool)).isEqualTo(FATAL);
    assertThat(explain(pool)).contains("no path to a trust anchor", "trust store");
    var hungUp = new SSLHandshakeException("Remote host terminated the handshake");
    hungUp.initCause(new EOFException());
    assertThat(verdict(new SQLException("Communications link failure", "08S01", hungUp)))
        .isEqualTo(UNAVAILABLE);
    assertThat(verdict(new SQLException("SSL Connection required, but not provided", "08001")))
        .isEqualTo(FATAL);
  }

  @Test
  void a_server_that_turns_the_user_away_is_told_from_one_that_is_gone() {
    var refused = new SQLException("Access denied for user 'sink'@'x'", "28000", 1045);
    assertThat(turnsAway(new SQLTransientConnectionException("none", "08001", refused))).isTrue();
    assertThat(turnsAway(new SQLException("you need REPLICATION CLIENT", "42000", 1227))).isTrue();
    assertThat(turnsAway(new SQLException("SSL Connection required", "08001"))).isTrue();
    assertThat(turnsAway(new SQLException("Link failure", "08S01", 0))).isFalse();
    assertThat(turnsAway(new SQLException("Server shutdown", "08S01", 1053))).isFalse();
    assertThat(turnsAway(new SQLException("Unknown error", "HY000", 1105))).isFalse();
  }

  @Test
  void an_error_of_a_known_server_is_explained_once() {
    var refused = new SQLException("SELECT command denied to user 'r'@'x'", "42000", 1142);
    var failure = new ServerFailure(new Topology.Server("db1", 3306, "rack1"), refused);
    assertThat(explain(failure))
        .startsWith("db1:3306: SELECT command denied to user 'r'@'x'; ")
        .containsOnlyOnce("cellmesh grants");
    assertThat(verdict(failure)).isEqualTo(FATAL);
  }

  @Test
  void a_packet_that_is_too_large_is_fatal_with_advice_although_it_ends_the_connection() {
    var error = new SQLException("Got a packet bigger than …", "08S01", 1153);
    assertThat(verdict(error)).isEqualTo(FATAL);
    assertThat(explain(error)).contains("max_allowed_packet").contains("body.max.bytes");
  }

  @Test
  void what_the_data_is_to_blame_for_is_fatal() {
    assertThat(verdict(new SQLException("Data too long for column 'body'", "22001", 1406)))
        .isEqualTo(FATAL);
    assertThat(verdict(new SQLException("Duplicate entry", "23000", 1062))).isEqualTo(FATAL);
  }

  @Test
  void a_table_that_is_not_there_is_told_from_a_database_that_is_not() {
    assertThat(isNoSuchTable(new SQLException("Table 'a.b' doesn't exist", "42S02", 1146)))
        .isTrue();
    assertThat(isNoSuchTable(new SQLException("Unknown database 'a'", "42000", 1049))).isFalse();
    assertThat(isNoSuchTable(new SQLException("something else", "42S02", 0))).isFalse();
  }

  @Test
  void the_reason_of_a_lost_connection_is_told_rather_than_what_the_pool_makes_of_it() {
    var link =
        new SQLException("Link failure", "08S01", 0, new ConnectException("Connection refused"));
    assertThat(explain(new SQLTransientConnectionException("not available", "08S01", link)))
        .isEqualTo("Connection refused");
    assertThat(explain(new SQLTransientConnectionException("timed out (total=0, active=0)")))
        .isEqualTo("timed out");
  }

  @Test
  void only_the_first_line_is_told() {
    assertThat(explain(new SQLException("Link failure\n\nLast packet sent", "08S01", 0)))
        .isEqualTo("Link failure");
    assertThat(explain(new SQLException())).isEqualTo("SQLException");
  }

  @ParameterizedTest
  @CsvSource({
    "1264, 22003, Out of range value for column 'origin_id' at row 3, origin_id, out of range",
    "1406, 22001, Data too long for column 'column_name' at row 1, column_name, too long",
    "1048, 23000, Column 'origin' cannot be null, origin, cannot be null",
    "1366, HY000, Incorrect string value: 'secret' for column 'origin' at row 1, origin, incorrect",
    "3140, 22032, Invalid JSON text: 'secret', record, no such value",
  })
  void an_error_that_a_value_causes_names_the_column_and_the_rule_and_not_the_value(
      int code, String state, String text, String field, String rule) {
    var error = new SQLException(text, state, code);
    assertThat(MySqlErrors.isOfAValue(error)).isTrue();
    assertThat(MySqlErrors.misfit(error).getMessage())
        .startsWith(field + ": ")
        .contains(rule)
        .doesNotContain("secret");
  }

  @ParameterizedTest
  @CsvSource({"1062, 23000", "1213, 40001", "1142, 42000", "1290, HY000", "1205, HY000"})
  void a_taken_key_a_lock_and_a_missing_right_are_no_values_fault(int code, String state) {
    assertThat(MySqlErrors.isOfAValue(new SQLException("text", state, code))).isFalse();
  }
}
