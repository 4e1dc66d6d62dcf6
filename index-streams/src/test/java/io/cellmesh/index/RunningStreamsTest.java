package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.streams.KafkaStreams.State;
import org.junit.jupiter.api.Test;

class RunningStreamsTest {

  @Test
  void aThreadWithoutASuccessorIsAFailureAsTheEndIs() {
    assertThat(RunningStreams.hasFailed(State.RUNNING, 0, 1)).isTrue();
    assertThat(RunningStreams.hasFailed(State.REBALANCING, 1, 2)).isTrue();
    assertThat(RunningStreams.hasFailed(State.ERROR, 0, 1)).isTrue();
    assertThat(RunningStreams.hasFailed(State.NOT_RUNNING, 0, 1)).isTrue();
  }

  @Test
  void oneThatHasAllItsThreadsOrIsAboutToEndIsNone() {
    assertThat(RunningStreams.hasFailed(State.RUNNING, 1, 1)).isFalse();
    assertThat(RunningStreams.hasFailed(State.REBALANCING, 3, 2)).isFalse();
    assertThat(RunningStreams.hasFailed(State.PENDING_ERROR, 0, 1)).isFalse();
    assertThat(RunningStreams.hasFailed(State.PENDING_SHUTDOWN, 0, 1)).isFalse();
  }
}
