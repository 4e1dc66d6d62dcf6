package io.cellmesh.stack.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.verify.Verification;
import io.cellmesh.stack.chaos.ChaosPlan;
import io.cellmesh.stack.chaos.ChaosResult;
import io.cellmesh.stack.chaos.FaultKind;
import io.cellmesh.stack.chaos.SessionCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosLedgerTest {
  private static final ChaosPlan PLAN = plan(500);

  @TempDir private Path directory;

  @Test
  void a_plan_goes_on_behind_its_own_runs_that_passed() throws IOException {
    var ledger = ledger();
    assertThat(ledger.done(PLAN)).isZero();
    assertThat(ledger.lastSeed(PLAN)).isEmpty();

    ledger.add(PLAN, 7, result(300));
    ledger.add(PLAN, 8, result(301));
    ledger.add(plan(100), 90, result(1_000));
    ledger.add(PLAN, 9, result(302, "cells do not come"));

    assertThat(ledger().done(PLAN)).isEqualTo(Duration.ofSeconds(601));
    assertThat(ledger().lastSeed(PLAN)).hasValue(8);
  }

  @Test
  void a_line_that_was_cut_short_counts_for_nothing_and_spoils_none() throws IOException {
    var ledger = ledger();
    ledger.add(PLAN, 7, result(300));
    Files.writeString(ledger.file(), "{\"at\":\"2026-", StandardOpenOption.APPEND);

    ledger.add(PLAN, 8, result(300));

    assertThat(ledger.done(PLAN)).isEqualTo(Duration.ofSeconds(600));
    assertThat(Files.readAllLines(ledger.file())).hasSize(3);
  }

  @Test
  void a_file_of_something_else_is_refused_with_its_line() throws IOException {
    var ledger = ledger();
    Files.writeString(ledger.file(), "\n{not json}\n");

    assertThatThrownBy(() -> ledger.done(PLAN))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("ledger.jsonl, line 2: not a line of JSON");
  }

  private ChaosLedger ledger() {
    return new ChaosLedger(directory.resolve("ledger.jsonl"));
  }

  private static ChaosPlan plan(int rate) {
    return new ChaosPlan(1, 1, 2, true, rate, List.of(FaultKind.CUT), false);
  }

  private static ChaosResult result(int seconds, String... broken) {
    return new ChaosResult(
        true,
        false,
        List.of(),
        Duration.ofSeconds(seconds),
        1_000,
        0,
        900,
        new SessionCounts(10, 0, 20, 0, 0),
        List.of(),
        Duration.ZERO,
        Duration.ZERO,
        Optional.empty(),
        List.of(broken),
        new Verification(List.of(), false, Duration.ofSeconds(1)));
  }
}
