package io.cellmesh.operations.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.LogShape;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstanceTopicsTest {
  private static final Set<String> ONE_PARTITION =
      Set.of("trips.heartbeat", "trips.mesh-place", "trips.passes");

  private final Map<String, NewTopic> wanted = wanted(LogShape.PARTITION, "by_driver");

  @Test
  void everyTopicOfTheContractIsThere() {
    assertThat(wanted.keySet())
        .containsExactlyInAnyOrder(
            "trips.cells",
            "trips.mesh",
            "trips.log",
            "trips.rejected",
            "trips.unindexed",
            "trips.trigger-state",
            "trips.parked",
            "trips.passes",
            "trips.heartbeat",
            "trips.mesh-place",
            "trips.checkpoint",
            "trips.index.by_driver");
  }

  @Test
  void eachHasRoomForTheLargestBodyAndAllThatHaveCellsThePartitionsOfTheTopology() {
    assertThat(wanted.values())
        .allSatisfy(
            topic -> {
              assertThat(topic.numPartitions())
                  .isEqualTo(ONE_PARTITION.contains(topic.name()) ? 1 : 16);
              assertThat(topic.configs())
                  .containsEntry(
                      "max.message.bytes",
                      // A parked record has more headers than it had in the log.
                      topic.name().equals("trips.parked") ? "4259840" : "4194304");
            });
  }

  @Test
  void withATopicForEachShardThereIsOneOfOnePartitionForEachAndNoneForAll() {
    var topics = wanted(LogShape.TOPIC);

    assertThat(topics).hasSize(10 + 64).doesNotContainKey("trips.log");
    assertThat(topics.get("trips.log.0063").numPartitions()).isEqualTo(1);
    assertThat(topics.get("trips.log.0000").configs())
        .containsEntry("cleanup.policy", "delete")
        .containsEntry("retention.ms", "-1")
        .containsEntry("retention.bytes", "-1")
        .containsEntry("max.message.bytes", "4194304");
  }

  @Test
  void theLogIsKeptAndAnIndexIsCompacted() {
    assertThat(wanted.get("trips.log").configs()).containsEntry("retention.ms", "-1");
    assertThat(wanted.get("trips.index.by_driver").configs())
        .containsEntry("cleanup.policy", "compact");
    assertThat(wanted.get("trips.heartbeat").configs()).containsEntry("cleanup.policy", "compact");
    assertThat(wanted.get("trips.cells").configs()).doesNotContainKey("cleanup.policy");
  }

  @ParameterizedTest
  @CsvSource({
    "trips.trigger-state, 16777216, 3600000",
    "trips.mesh-place, 1048576, 60000",
    "trips.checkpoint, 2097152, 120000"
  })
  void little_of_what_is_remembered_is_read_as_it_was_written(
      String topic, String bytes, String millis) {
    assertThat(wanted.get(topic).configs())
        .containsEntry("cleanup.policy", "compact")
        .containsEntry("min.cleanable.dirty.ratio", "0.1")
        .containsEntry("segment.bytes", bytes)
        .containsEntry("segment.ms", millis);
  }

  @Test
  void what_triggers_gave_up_on_is_kept() {
    assertThat(wanted.get("trips.parked").configs())
        .containsEntry("cleanup.policy", "delete")
        .containsEntry("retention.ms", "-1")
        .containsEntry("retention.bytes", "-1");
  }

  @Test
  void a_topic_that_was_there_and_would_forget_is_refused_with_the_command() {
    assertThatThrownBy(
            () -> InstanceTopics.requireSetting("trips.parked", "retention.ms", "604800000", "-1"))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("topic trips.parked has retention.ms=604800000 and must have -1")
        .hasMessageContaining("--entity-name trips.parked --add-config retention.ms=-1`");
    assertThatCode(() -> InstanceTopics.requireSetting("trips.parked", "retention.ms", "-1", "-1"))
        .doesNotThrowAnyException();
  }

  @Test
  void recordsThatTellOfOldCellsStayAsLongAsIfTheyWereNew() {
    assertThat(List.of("trips.mesh", "trips.rejected", "trips.unindexed"))
        .allSatisfy(
            name ->
                assertThat(wanted.get(name).configs())
                    .containsEntry("message.timestamp.type", "LogAppendTime")
                    .containsEntry("retention.ms", "1209600000"));
    assertThat(wanted.get("trips.cells").configs()).doesNotContainKey("message.timestamp.type");
  }

  @Test
  void the_rows_brought_to_a_pass_stay_until_they_are_read_whatever_the_broker_does() {
    var plan =
        new TopicPlan(new Topics("trips"), new Shards(64, 16), LogShape.PARTITION, (short) 1);
    var topics = plan.topicsOfPass(List.of("by_driver.v2"), "p2");

    assertThat(topics)
        .extracting(NewTopic::name)
        .containsExactly("trips.index.by_driver.v2", "trips.index-backfill.p2");
    assertThat(topics.get(1).numPartitions()).isEqualTo(16);
    assertThat(topics.get(1).configs())
        .containsEntry("cleanup.policy", "delete")
        .containsEntry("retention.ms", "1209600000")
        .containsEntry("retention.bytes", "-1");
  }

  @Test
  void a_columns_topic_has_the_partitions_of_the_topology_in_either_shape_and_is_kept() {
    for (var shape : LogShape.values()) {
      var plan = new TopicPlan(new Topics("trips"), new Shards(64, 16), shape, (short) 1);
      var topic = plan.topicOfTrigger("BASE");

      assertThat(topic.name()).isEqualTo("trips.trigger.BASE");
      assertThat(topic.numPartitions()).as("%s", shape).isEqualTo(16);
      assertThat(topic.configs())
          .containsEntry("cleanup.policy", "delete")
          .containsEntry("retention.ms", "-1")
          .containsEntry("max.message.bytes", "4194304");
    }
  }

  @Test
  void a_topic_that_was_there_and_is_too_small_for_a_legal_cell_is_refused_with_the_command() {
    assertThatThrownBy(() -> InstanceTopics.requireRoom("trips.log", 1_048_588))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("topic trips.log takes records of at most 1048588 bytes")
        .hasMessageContaining("--entity-name trips.log --add-config max.message.bytes=4194304");
    assertThatCode(() -> InstanceTopics.requireRoom("trips.log", 4 << 20))
        .doesNotThrowAnyException();
  }

  private static Map<String, NewTopic> wanted(LogShape shape, String... indexes) {
    return new TopicPlan(new Topics("trips"), new Shards(64, 16), shape, (short) 1)
        .topics(List.of(indexes)).stream()
            .collect(Collectors.toMap(NewTopic::name, Function.identity()));
  }
}
