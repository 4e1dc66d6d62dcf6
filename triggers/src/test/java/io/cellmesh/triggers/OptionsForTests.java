package io.cellmesh.triggers;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.trigger.Definition;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.topics.trigger.TriggerName;
import java.time.Duration;
import java.util.List;

/** What a trigger's process goes by that no test reaches Kafka with. */
final class OptionsForTests {
  private OptionsForTests() {}

  static TriggerOptions of(Order order) {
    var topics = new Topics("trips");
    return new TriggerOptions(
        new TriggerName("billing"),
        topics,
        new Shards(64, 16),
        KafkaAccess.plain("127.0.0.1:1"),
        new Definition(topics.log(), List.of("BASE"), order, new Start.Beginning()),
        4,
        5,
        Duration.ofSeconds(10),
        Duration.ofMillis(200),
        Duration.ofSeconds(10),
        Duration.ofSeconds(1),
        Duration.ZERO);
  }
}
