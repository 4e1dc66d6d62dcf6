package io.cellmesh.connect.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectorStatusTest {

  @Test
  void aConnectorRunsWhenItAndAllItsTasksDo() throws Exception {
    assertThat(status("RUNNING", "RUNNING").isRunning()).isTrue();
    assertThat(status("RUNNING", "UNASSIGNED").isRunning()).isFalse();
    assertThat(status("PAUSED", "RUNNING").isRunning()).isFalse();
  }

  @Test
  void withoutATaskItDoesNotRun() throws Exception {
    var status =
        ConnectorStatus.of(
            JsonMapper.builder()
                .build()
                .readTree("{\"connector\":{\"state\":\"RUNNING\"},\"tasks\":[]}"));

    assertThat(status.isRunning()).isFalse();
    assertThat(status.failure()).isEmpty();
  }

  @Test
  void aFailureIsToldByTheFirstLinesOfItsTrace() throws Exception {
    assertThat(status("RUNNING", "FAILED").failure())
        .hasValueSatisfying(
            trace -> assertThat(trace).startsWith("line 1").contains("line 6").doesNotContain("7"));
    assertThat(status("RUNNING", "FAILED")).hasToString("connector RUNNING, tasks [FAILED]");
  }

  @Test
  void thatATaskHasEndedIsNoReason() {
    var trace =
        """
        org.apache.kafka.connect.errors.ConnectException: Exiting WorkerSinkTask due to unrecoverable exception.
        \tat org.apache.kafka.connect.runtime.WorkerSinkTask.deliverMessages(WorkerSinkTask.java:635)
        Caused by: org.apache.kafka.connect.errors.ConnectException: primary c1 (db1:3306): INSERT command denied
        Caused by: java.sql.SQLSyntaxErrorException: INSERT command denied
        """;

    assertThat(reason(trace)).isEqualTo("primary c1 (db1:3306): INSERT command denied");
  }

  @Test
  void whatATaskSaysAtItsStartIsTheReason() {
    assertThat(
            reason(
                "org.apache.kafka.connect.errors.ConnectException: db1:3306 can't be checked\n\tat x"))
        .isEqualTo("db1:3306 can't be checked");
    assertThat(reason("")).isEqualTo("no reason given");
  }

  @Test
  void aTaskOfEarlierConfigurationsHasFailedButNotForGood() {
    var trace =
        "org.apache.kafka.connect.errors.ConnectException: Cannot start source task trips-source-c3-0 with exactly-once support as the connector has already generated a new set of task configs";
    var running = new ConnectorStatus.Part("RUNNING", "w1", "");
    var replaced = new ConnectorStatus.Part("FAILED", "w1", trace);
    var broken = new ConnectorStatus.Part("FAILED", "w1", "no rights");

    assertThat(new ConnectorStatus(running, List.of(replaced)).failure()).hasValue(trace);
    assertThat(new ConnectorStatus(running, List.of(replaced)).finalFailure()).isEmpty();
    assertThat(new ConnectorStatus(running, List.of(replaced, broken)).finalFailure())
        .hasValue("no rights");
  }

  private static String reason(String trace) {
    return new ConnectorStatus.Part("FAILED", "", trace).reason();
  }

  private static ConnectorStatus status(String connector, String task)
      throws JsonProcessingException {
    return ConnectorStatus.of(
        JsonMapper.builder()
            .build()
            .readTree(
                """
                {"name":"x","connector":{"state":"%s","worker_id":"127.0.0.1:1"},
                 "tasks":[{"id":0,"state":"%s","worker_id":"127.0.0.1:1",
                   "trace":"line 1\\nline 2\\nline 3\\nline 4\\nline 5\\nline 6\\nline 7"}]}
                """
                    .formatted(connector, task)));
  }
}
