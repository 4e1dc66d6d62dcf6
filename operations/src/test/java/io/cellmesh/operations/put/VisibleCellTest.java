package io.cellmesh.operations.put;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.operations.OperationException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class VisibleCellTest {
  private static final CellKey KEY = new CellKey(new UUID(1, 2), "BASE", 1);

  private static final SQLException AWAY =
      new SQLTransientConnectionException("Connection is not available, request timed out");

  @Test
  void a_server_that_can_not_be_asked_for_a_while_is_asked_again() throws Exception {
    var stored = stored();
    var looks =
        new ArrayDeque<VisibleCell.Look>(
            List.of(
                () -> {
                  throw AWAY;
                },
                Optional::empty,
                () -> Optional.of(stored)));
    assertThat(VisibleCell.await(KEY, Duration.ofSeconds(30), () -> looks.remove().now()))
        .isEqualTo(stored);
    assertThat(looks).isEmpty();
  }

  @Test
  void what_is_not_seen_in_time_is_told_with_why_the_last_look_failed() {
    assertThatThrownBy(
            () ->
                VisibleCell.await(
                    KEY,
                    Duration.ZERO,
                    () -> {
                      throw AWAY;
                    }))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("was accepted, but is not visible after 0 s: MySQL: Connection is")
        .hasMessageContaining("BASE");
    assertThatThrownBy(() -> VisibleCell.await(KEY, Duration.ZERO, Optional::empty))
        .hasMessageEndingWith("not visible after 0 s");
  }

  @Test
  void what_only_a_person_can_mend_ends_the_waiting_and_is_told_before_anything_is_produced() {
    VisibleCell.Look denied =
        () -> {
          throw new SQLException("SELECT command denied to user 'reader'", "42000", 1142);
        };
    assertThatThrownBy(() -> VisibleCell.await(KEY, Duration.ofSeconds(30), denied))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining(
            "was accepted, but can't be looked for: MySQL: SELECT command denied");
    assertThatThrownBy(() -> VisibleCell.prepare(denied)).isInstanceOf(SQLException.class);
  }

  @Test
  void a_server_that_does_not_answer_yet_is_no_reason_against_producing() {
    assertThatCode(
            () ->
                VisibleCell.prepare(
                    () -> {
                      throw AWAY;
                    }))
        .doesNotThrowAnyException();
  }

  private static LogRecord stored() throws InvalidCellException {
    var cell = new Cell(KEY, Body.ofJson("{}"), Optional.empty());
    return new LogRecord(cell, 1, 7, Instant.EPOCH);
  }
}
