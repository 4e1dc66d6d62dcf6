package io.cellmesh.cli.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

class InstanceTopicsTest {
  private final Map<String, NewTopic> wanted =
      new InstanceTopics(null, new Topics("trips"), new Shards(64, 16), (short) 1)
          .wanted(List.of("by_driver")).stream()
              .collect(Collectors.toMap(NewTopic::name, Function.identity()));

  @Test
  void everyTopicOfTheContractIsThere() {
    assertThat(wanted.keySet())
        .containsExactlyInAnyOrder(
            "trips.cells",
            "trips.mesh",
            "trips.log",
            "trips.rejected",
            "trips.unindexed",
            "trips.parked",
            "trips.index.by_driver");
  }

  @Test
  void eachHasThePartitionsOfTheTopologyAndRoomForTheLargestBody() {
    assertThat(wanted.values())
        .allSatisfy(
            topic -> {
              assertThat(topic.numPartitions()).isEqualTo(16);
              assertThat(topic.configs()).containsEntry("max.message.bytes", "4194304");
            });
  }

  @Test
  void theLogIsKeptAndAnIndexIsCompacted() {
    assertThat(wanted.get("trips.log").configs()).containsEntry("retention.ms", "-1");
    assertThat(wanted.get("trips.index.by_driver").configs())
        .containsEntry("cleanup.policy", "compact");
    assertThat(wanted.get("trips.cells").configs()).doesNotContainKey("cleanup.policy");
  }
}
