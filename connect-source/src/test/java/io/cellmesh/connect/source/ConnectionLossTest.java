package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.shyiko.mysql.binlog.event.EventHeaderV4;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDataDeserializationException;
import com.github.shyiko.mysql.binlog.network.AuthenticationException;
import com.github.shyiko.mysql.binlog.network.IdentityVerificationException;
import com.github.shyiko.mysql.binlog.network.ServerException;
import io.debezium.DebeziumException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class ConnectionLossTest {

  @Test
  void a_connection_that_ended_or_could_not_be_made_is_a_loss() {
    for (var cause :
        List.of(
            new SQLException("Communications link failure", "08S01"),
            new SQLException("Too many connections", "08004", 1040),
            new SQLException("more than max_user_connections", "42000", 1203),
            new SQLException("exceeded the max_connections_per_hour", "42000", 1226),
            new SQLException("Query execution was interrupted", "70100", 1317),
            new SQLException("The server is currently in offline mode", "HY000", 3032),
            new EOFException(),
            new ConnectException("Connection refused"),
            new TimeoutException(),
            new ServerException("Server shutdown in progress", 1053, "08S01"))) {
      assertThat(isLoss(cause)).as(cause.toString()).isTrue();
    }
  }

  @Test
  void what_another_attempt_can_not_change_is_none() {
    for (var cause :
        List.of(
            new SQLException("Access denied", "28000", 1045),
            new SQLException("Unknown database", "42000", 1049),
            new AuthenticationException("Access denied", 1045, "28000"),
            new ServerException("Could not find first log file", 1236, "HY000"),
            new SSLHandshakeException("x").initCause(new CertificateException("another CA")),
            new IdentityVerificationException("identity was not confirmed"),
            new IllegalStateException("schema"))) {
      assertThat(isLoss(cause)).as(cause.toString()).isFalse();
    }
  }

  @Test
  void an_event_that_can_not_be_decoded_is_none_unless_its_connection_ended() {
    var header = new EventHeaderV4();
    var broken = new EventDataDeserializationException(header, new IllegalArgumentException());
    var cutOff = new EventDataDeserializationException(header, new EOFException());

    assertThat(isLoss(broken)).isFalse();
    assertThat(isLoss(cutOff)).isTrue();
  }

  @Test
  void a_refusal_wins_over_the_loss_that_it_is_wrapped_in() {
    var refusal = new IOException(new ServerException("purged", 1236, "HY000"));

    assertThat(isLoss(refusal)).isFalse();
  }

  @Test
  void a_reader_that_another_run_of_its_task_displaced_tries_again() {
    var displaced =
        new ServerException(
            "A replica with the same server_uuid/server_id as this replica has connected",
            1236,
            "HY000");

    assertThat(isLoss(displaced)).isTrue();
  }

  @Test
  void a_refusal_names_the_user_and_says_where_its_rights_are_listed() {
    var denied =
        new SQLException(
            "Access denied; you need (at least one of) the REPLICATION SLAVE privilege(s)",
            "42000",
            1227);

    assertThat(ConnectionLoss.isRefusal(new DebeziumException(denied))).isTrue();
    assertThat(ConnectionLoss.explain(new DebeziumException(denied), "source"))
        .contains("user source", "REPLICATION SLAVE", "cellmesh grants --role source");
  }

  @Test
  void a_server_that_does_not_prove_who_it_is_is_refused_and_one_that_hangs_up_is_not() {
    var other = new SSLHandshakeException("PKIX path building failed");
    other.initCause(new CertificateException("unable to find valid certification path"));
    var hungUp = new SSLHandshakeException("Remote host terminated the handshake");
    hungUp.initCause(new EOFException());

    assertThat(ConnectionLoss.isRefusal(new SQLException("link", "08S01", other))).isTrue();
    assertThat(ConnectionLoss.explain(new SQLException("link", "08S01", other), "source"))
        .contains("unable to find valid certification path", "mysql.ssl.truststore.location");
    assertThat(ConnectionLoss.isRefusal(new SQLException("link", "08S01", hungUp))).isFalse();
    assertThat(isLoss(hungUp)).isTrue();
  }

  /** As Debezium wraps it. */
  private static boolean isLoss(Throwable cause) {
    return ConnectionLoss.isCauseOf(
        new org.apache.kafka.connect.errors.ConnectException(
            "An exception occurred in the change event producer", new DebeziumException(cause)));
  }
}
