package io.cellmesh.operations.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.LogShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LogRebuildTest {
  private static final String GTIDS = "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-9";
  private static final String STREAMING = "{\"gtids\":\"" + GTIDS + "\"}";

  private final FakeConnect connect =
      FakeConnect.withSources().offset("c1", STREAMING).offset("c2", STREAMING);

  @Test
  void allAreStoppedBeforeAnyOffsetChangesAndRunOnlyAfterAllHave() throws Exception {
    start(List.of());

    assertThat(connect.calls)
        .containsExactly(
            "stop trips-source-c1",
            "stop trips-source-c2",
            "alter trips-source-c1",
            "alter trips-source-c2",
            "resume trips-source-c1",
            "resume trips-source-c2");
    assertThat(connect.offsets).containsEntry("trips-source-c2", "{\"rebuild\":\"32-63\"}");
  }

  @Test
  void theOtherClustersStreamOn() throws Exception {
    start(List.of("c2"));

    assertThat(connect.calls).noneMatch(call -> call.endsWith("c1"));
  }

  @Test
  void aRebuildInProgressIsNotTouched() throws Exception {
    connect.offset("c1", "{\"rebuild\":\"3-31\",\"gtids\":\"" + GTIDS + "\"}");

    start(List.of());

    assertThat(connect.calls).isEmpty();
  }

  @Test
  void aFailedRebuildIsStartedAgainWithItsOffset() throws Exception {
    var offset = "{\"rebuild\":\"3-31\",\"gtids\":\"" + GTIDS + "\"}";
    connect.offset("c1", offset).state("c1", "FAILED");

    start(List.of("c1"));

    assertThat(connect.calls).containsExactly("stop trips-source-c1", "resume trips-source-c1");
    assertThat(connect.offsets).containsEntry("trips-source-c1", offset);
  }

  @Test
  void whatWasStoppedForNothingRunsAgain() {
    connect.refusals.add("alter trips-source-c2");

    assertThatThrownBy(() -> start(List.of())).hasMessage("refused");

    assertThat(connect.calls).endsWith("resume trips-source-c1", "resume trips-source-c2");
  }

  /** Of two that rebuild at once the later would delete what the first has written again. */
  @Test
  void nothingIsDeletedOnceSomebodyElseHasResumedAConnector() {
    connect.meanwhile = () -> connect.state("c1", "RUNNING");
    var log = new FakeLog();
    var rebuild = deleting(log);
    var plan = rebuild.plan();

    assertThat(plan.deletes()).isTrue();
    assertThatThrownBy(() -> rebuild.start(plan, said -> {}))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("trips-source-c1 runs again");
    assertThat(log.deleted).isEmpty();
  }

  /** One that somebody else has resumed behind the last look at it writes again at once. */
  @Test
  void whatIsWrittenOnceARebuildWasAskedForIsNotDeleted() throws Exception {
    var log = new FakeLog();
    connect.meanwhile = () -> log.end++;
    var rebuild = deleting(log);

    rebuild.start(rebuild.plan(), said -> {});

    assertThat(log.deleted).containsExactly(Map.of(FakeLog.AT, 5L));
    assertThat(connect.calls).endsWith("resume trips-source-c1", "resume trips-source-c2");
  }

  @Test
  void aLogThatDoesNotAnswerLeavesTheConnectorsAsTheyWere() {
    var log = new FakeLog();
    log.answers = false;
    var rebuild = deleting(log);
    var plan = rebuild.plan();

    assertThatThrownBy(() -> rebuild.start(plan, said -> {}))
        .isInstanceOf(OperationException.class)
        .hasMessage("the log does not answer; nothing was deleted");
    assertThat(connect.calls)
        .containsExactly(
            "stop trips-source-c1",
            "stop trips-source-c2",
            "resume trips-source-c1",
            "resume trips-source-c2");
  }

  @Test
  void aMissingConnectorIsNamedWithWhatToPost() {
    var empty = new FakeConnect().add("trips-source-c1", FakeConnect.source("c1"));

    assertThatThrownBy(() -> rebuild(empty, List.of(), Optional.empty()))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("no source connector for cluster c2 of trips in dc1")
        .hasMessageContaining("post trips-source-c2");
  }

  @Test
  void connectorsAreFoundByTheirSettingsWhateverTheirNames() {
    var other = new HashMap<>(FakeConnect.source("c1"));
    other.put("topology", other.get("topology").replace("dc1", "dc9"));
    var mixed =
        new FakeConnect()
            .add("trips-source-c1", other)
            .add("alice", FakeConnect.source("c1"))
            .add("bob", FakeConnect.source("c2"));

    assertThat(rebuild(mixed, List.of(), Optional.empty()).plan().begins())
        .extracting(begin -> begin.connector().name())
        .containsExactly("alice", "bob");
  }

  @Test
  void ofTwoShapesSideBySideOneHasToBeSaid() {
    var topic = new HashMap<String, String>(FakeConnect.source("c1"));
    topic.put("shard.topics", "topic");
    connect.add("by-topic", Map.copyOf(topic));

    assertThatThrownBy(() -> rebuild(connect, List.of("c1"), Optional.empty()))
        .hasMessageContaining("[trips-source-c1, by-topic]", "--shard-topics");
    assertThat(rebuild(connect, List.of("c1"), Optional.of(LogShape.TOPIC)).plan().begins())
        .extracting(begin -> begin.connector().name())
        .containsExactly("by-topic");
  }

  @Test
  void theTopicsOfColumnsThatStandApartAreNamedWithTheLog() {
    var apart = new HashMap<String, String>(FakeConnect.source("c2"));
    apart.put("trigger.columns", "BASE, STATUS");
    connect.add("trips-source-c2", Map.copyOf(apart));

    var topics = FakeConnect.TOPOLOGY.topics();
    assertThat(rebuild(connect, List.of(), Optional.empty()).plan().written(topics))
        .isEqualTo("trips.log, trips.trigger.BASE, trips.trigger.STATUS");
    assertThat(rebuild(connect, List.of("c1"), Optional.empty()).plan().written(topics))
        .isEqualTo("trips.log");
  }

  private void start(List<String> clusters) throws InterruptedException {
    var rebuild = rebuild(connect, clusters, Optional.empty());
    rebuild.start(rebuild.plan(), said -> {});
  }

  private LogRebuild deleting(OldLog log) {
    var wish = new RebuildRequest(List.of(), Optional.empty(), true, false);
    return new LogRebuild(connect.sources(), wish, Optional.empty(), (site, sources) -> log);
  }

  private static LogRebuild rebuild(
      FakeConnect connect, List<String> clusters, Optional<LogShape> shape) {
    return new LogRebuild(
        connect.sources(), new RebuildRequest(clusters, Optional.empty(), false, false), shape);
  }

  /** A log of one partition. */
  private static final class FakeLog implements OldLog {
    static final TopicPartition AT = new TopicPartition("trips.log", 0);

    final List<Map<TopicPartition, Long>> deleted = new ArrayList<>();
    long end = 5;
    boolean answers = true;

    @Override
    public long retained() {
      return end;
    }

    @Override
    public Map<TopicPartition, Long> ends() {
      if (!answers) {
        throw new KafkaException("the log does not answer");
      }
      return Map.of(AT, end);
    }

    @Override
    public void delete(Map<TopicPartition, Long> ends) {
      deleted.add(ends);
    }
  }
}
