package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topics;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.Pass;
import io.cellmesh.deployment.PassTopic;
import io.cellmesh.deployment.StoredPasses;
import io.cellmesh.devstack.DevStack;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each test has a topic of its own. */
class PassTopicIT {
  private static final IndexDefinition BY_DRIVER =
      IndexDefinition.parse(
          """
          table: by_driver
          datastore: riders
          column_defs:
            - column_key: BASE
              fields:
                - {field: driver, type: string}
          """);

  @TempDir static Path dir;

  private static DevStack broker;
  private static TestInstance instance;

  @BeforeAll
  static void start() throws Exception {
    broker = TestInstance.broker(dir.resolve("stack"));
    instance = new TestInstance(broker, dir);
  }

  @AfterAll
  static void stop() {
    instance.close();
    broker.close();
  }

  @Test
  void whatIsPutCanBeReadAtOnceAndOnlyARemovalTakesItAway() throws Exception {
    try (var topic = topic("riders")) {
      assertThat(topic.read(StoredPasses.NONE).place()).isEmpty();
      topic.create();
      topic.create();
      assertThat(topic.read(StoredPasses.NONE).passes()).isEmpty();
      var pass = new Pass("p1", List.of(BY_DRIVER), true);
      topic.put(pass);
      var first = topic.read(StoredPasses.NONE);
      assertThat(first.passes()).containsEntry("p1", pass);
      topic.put(new Pass("p2", List.of(BY_DRIVER), false));
      assertThat(topic.read(first).passes()).containsOnlyKeys("p1", "p2");
      topic.remove("p1");
      var last = topic.read(first);
      assertThat(last.passes()).containsOnlyKeys("p2");
      assertThat(last.removed()).containsExactly("p1");
      assertThat(topic.read(last).removed()).isEmpty();
      assertThat(topic.read(StoredPasses.NONE).removed()).containsExactly("p1");
    }
  }

  @Test
  void aTopicThatWasRecreatedIsReadLikeANewOne() throws Exception {
    try (var topic = topic("drivers");
        var admin = instance.admin()) {
      topic.create();
      topic.remove("p1");
      topic.remove("p2");
      var before = topic.read(StoredPasses.NONE);
      admin.deleteTopics(List.of("drivers.passes")).all().get();
      assertThat(topic.read(before)).isEqualTo(StoredPasses.NONE);
      topic.create();
      topic.remove("p3");
      topic.remove("p4");
      assertThat(topic.read(before).removed()).containsExactly("p3", "p4");
    }
  }

  @Test
  void aTopicThatWouldForgetIsRefusedAndSoIsWritingWithoutOne() throws Exception {
    try (var topic = topic("cars");
        var admin = instance.admin()) {
      assertThatThrownBy(() -> topic.remove("p1"))
          .hasMessageMatching("cars\\.passes at .*: there is no such topic");
      instance.create("cars.passes", 1);
      assertThatThrownBy(topic::create)
          .hasMessageContaining("has cleanup.policy=delete and must have compact")
          .hasMessageContaining("--alter --entity-type topics --entity-name cars.passes");
      admin.deleteTopics(List.of("cars.passes")).all().get();
      instance.create("cars.passes", 2);
      assertThatThrownBy(topic::create).hasMessageContaining("has 2 partitions and must have one");
      assertThatThrownBy(() -> topic.read(StoredPasses.NONE))
          .hasMessageContaining("has 2 partitions and must have one");
    }
    try (var nowhere = new PassTopic(KafkaAccess.plain("127.0.0.1:1"), new Topics("cars"))) {
      assertThatThrownBy(() -> nowhere.read(StoredPasses.NONE))
          .hasMessageStartingWith("cars.passes at 127.0.0.1:1: ");
    }
  }

  @Test
  void theTopicIsMadeToRemember() throws Exception {
    try (var topic = topic("trucks");
        var admin = instance.admin()) {
      topic.create();
      var resource = new ConfigResource(ConfigResource.Type.TOPIC, "trucks.passes");
      var config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
      assertThat(config.get("cleanup.policy").value()).isEqualTo("compact");
      assertThat(config.get("delete.retention.ms").value()).isEqualTo("31536000000");
    }
  }

  private static PassTopic topic(String name) {
    return new PassTopic(KafkaAccess.plain(instance.bootstrap()), new Topics(name));
  }
}
