package io.cellmesh.operations.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.operations.mesh.BareDataCenter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

class KafkaCheckTest {
  private static final Topology TOPOLOGY = BareDataCenter.nowhere("dc1").topology();

  @Test
  void the_log_and_what_triggers_need_are_looked_at_too() {
    assertThat(KafkaCheck.wanted(TOPOLOGY, List.of("by_driver"), Set.of()))
        .extracting(NewTopic::name)
        .contains(
            "trips.cells",
            "trips.log",
            "trips.trigger-state",
            "trips.parked",
            "trips.index.by_driver");
  }

  @Test
  void of_a_log_with_a_topic_for_each_shard_each_is_looked_at() {
    assertThat(KafkaCheck.wanted(TOPOLOGY, List.of(), Set.of("trips.log.0000")))
        .extracting(NewTopic::name)
        .contains("trips.log.0000", "trips.log.0003")
        .doesNotContain("trips.log");
    assertThat(KafkaCheck.wanted(TOPOLOGY, List.of(), Set.of("trips.log.0000", "trips.log")))
        .extracting(NewTopic::name)
        .contains("trips.log");
  }

  @Test
  void another_number_of_partitions_is_wrong() {
    assertThat(partitions("trips.log", 2)).isEmpty();
    assertThat(partitions("trips.log", 3))
        .contains(
            "trips.log has 3 partitions, the topology says partitions: 2; rows would not be routed to their shards");
    assertThat(partitions("trips.passes", 2))
        .contains("trips.passes has 2 partitions and must have one");
  }

  @Test
  void by_rejected_records_no_shard_is_routed() {
    for (var topic : List.of("trips.rejected", "trips.unindexed")) {
      assertThat(partitions(topic, 3))
          .hasValueSatisfying(
              text ->
                  assertThat(text)
                      .startsWith(topic + " has 3 partitions, the topology says partitions: 2")
                      .doesNotContain("rows would not"));
    }
  }

  @Test
  void a_topic_that_forgets_what_is_to_be_kept_is_told() {
    var week =
        Map.of("cleanup.policy", "delete", "retention.ms", "604800000", "retention.bytes", "-1");

    assertThat(KafkaCheck.forgets(wanted("trips.log"), week))
        .hasValueSatisfying(
            text -> assertThat(text).startsWith("retention.ms=604800000 and not -1, so"));
    assertThat(KafkaCheck.forgets(wanted("trips.trigger-state"), week))
        .hasValueSatisfying(
            text -> assertThat(text).startsWith("cleanup.policy=delete and not compact, so"));
    assertThat(KafkaCheck.forgets(wanted("trips.cells"), week)).isEmpty();
    assertThat(KafkaCheck.forgets(wanted("trips.mesh"), week))
        .as("its retention is the operator's choice")
        .isEmpty();
  }

  private static Optional<String> partitions(String topic, int found) {
    return KafkaCheck.partitions(TOPOLOGY.topics(), wanted(topic), found);
  }

  private static NewTopic wanted(String name) {
    return KafkaCheck.wanted(TOPOLOGY, List.of(), Set.of()).stream()
        .filter(topic -> topic.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
