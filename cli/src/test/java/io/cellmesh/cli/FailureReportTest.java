package io.cellmesh.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.operations.OperationException;
import org.junit.jupiter.api.Test;

/** The exit code says what kind of failure ended an operation. */
class FailureReportTest {
  private final FailureReport report = new FailureReport(Captured.silent());

  @Test
  void what_failed_and_what_was_refused_end_in_one() {
    assertThat(exitCode(OperationException.failed("no such index"))).isEqualTo(1);
    assertThat(exitCode(OperationException.refused("it lacks transactions"))).isEqualTo(1);
  }

  @Test
  void a_request_that_is_wrong_ends_in_two_and_a_server_that_is_away_in_three() {
    assertThat(exitCode(OperationException.invalid("--shard: no number"))).isEqualTo(2);
    assertThat(exitCode(OperationException.unavailable("no answer"))).isEqualTo(3);
    assertThat(exitCode(new DeploymentException("line 7: no such file"))).isEqualTo(2);
  }

  private int exitCode(Exception failure) {
    return report.handleExecutionException(failure, null, null);
  }
}
