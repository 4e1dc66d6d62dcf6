package io.cellmesh.operations.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.connect.client.ConnectorStatus;
import org.junit.jupiter.api.Test;

class SourceStateTest {
  @Test
  void aFailedTaskFailsTheConnectorWithTheTasksOwnWords() throws Exception {
    var state =
        state(
            """
            {"connector":{"state":"RUNNING"},"tasks":[{"id":0,"state":"FAILED",
             "trace":"org.apache.kafka.connect.errors.ConnectException: cluster c1: purged\\n\\tat x"}]}""");

    assertThat(state.failure()).contains("cluster c1: purged");
    assertThat(state.isRunning()).isFalse();
  }

  @Test
  void itIsStoppedOnlyWhenItsTasksAreGone() throws Exception {
    assertThat(state("{\"connector\":{\"state\":\"STOPPED\"},\"tasks\":[]}").isStopped()).isTrue();
    assertThat(
            state("{\"connector\":{\"state\":\"STOPPED\"},\"tasks\":[{\"state\":\"RUNNING\"}]}")
                .isStopped())
        .isFalse();
  }

  @Test
  void itRunsOnlyWithATask() throws Exception {
    assertThat(
            state("{\"connector\":{\"state\":\"RUNNING\"},\"tasks\":[{\"state\":\"RUNNING\"}]}")
                .isRunning())
        .isTrue();
    assertThat(state("{\"connector\":{\"state\":\"RUNNING\"},\"tasks\":[]}").isRunning()).isFalse();
  }

  private static SourceState state(String json) throws Exception {
    return SourceState.of(ConnectorStatus.of(new ObjectMapper().readTree(json)));
  }
}
