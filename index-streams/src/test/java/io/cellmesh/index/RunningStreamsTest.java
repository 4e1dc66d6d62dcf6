package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.Pass;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.KafkaStreams.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningStreamsTest {
  private static final String INDEX =
      """
      table: by_driver
      datastore: trips
      column_defs:
        - column_key: BASE
          fields:
            - {field: driver, type: string}
      """;

  @TempDir private Path dir;

  /** And not that somebody holds the local state, which would be the attempt before. */
  @Test
  void eachAttemptSaysWhyItCantBeStarted() {
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThatThrownBy(this::start)
          .isInstanceOf(KafkaException.class)
          .hasStackTraceContaining("No resolvable bootstrap urls");
    }
  }

  private RunningStreams start() {
    var kafka = KafkaAccess.plain("brokers.invalid:9092");
    var application = "trips-index-p1";
    var pass = new Pass("p1", List.of(IndexDefinition.parse(INDEX)), false);
    var lagMs = new AtomicLong(-1);
    return new RunningStreams(
        IndexTopology.of(pass, DrivenPass.TOPICS, DrivenPass.SHARDS, lagMs),
        new IndexSettings(kafka, dir, 1, 0, -1).properties(application),
        new PassRights(kafka, application, pass.sources(DrivenPass.TOPICS)),
        lagMs,
        damage -> {});
  }

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
