package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureTraceTest {

  @Test
  void thatATaskHasEndedIsNoReason() {
    var trace =
        """
        org.apache.kafka.connect.errors.ConnectException: Exiting WorkerSinkTask due to unrecoverable exception.
        \tat org.apache.kafka.connect.runtime.WorkerSinkTask.deliverMessages(WorkerSinkTask.java:635)
        Caused by: org.apache.kafka.connect.errors.ConnectException: primary c1 (db1:3306): INSERT command denied
        Caused by: java.sql.SQLSyntaxErrorException: INSERT command denied
        """;

    assertThat(FailureTrace.reason(trace))
        .isEqualTo("primary c1 (db1:3306): INSERT command denied");
  }

  @Test
  void whatATaskSaysAtItsStartIsTheReason() {
    assertThat(
            FailureTrace.reason(
                "org.apache.kafka.connect.errors.ConnectException: db1:3306 can't be checked\n\tat x"))
        .isEqualTo("db1:3306 can't be checked");
    assertThat(FailureTrace.reason("")).isEmpty();
  }
}
