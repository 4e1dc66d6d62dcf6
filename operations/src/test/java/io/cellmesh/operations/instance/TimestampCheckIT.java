package io.cellmesh.operations.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.KafkaBroker;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The topics of an instance on a real broker, whose records tell of cells of 2016. */
class TimestampCheckIT {
  private static final Topics TOPICS = new Topics("trips");
  private static final Instant LONG_AGO = Instant.parse("2016-01-22T00:00:00Z");

  @TempDir private Path dir;

  @Test
  void whatTellsOfOldCellsIsNewWhenItArrivesAndATopicThatIsNotLikeThatIsNamed() throws Exception {
    var options =
        Options.defaults().withStateDir(dir).withDatacenters(1).withoutMySql().withWorkers(0);
    try (var stack = DevStack.start(options, Progress.silent());
        var admin = stack.broker("dc1").admin()) {
      var broker = stack.broker("dc1");
      new InstanceTopics(admin, TOPICS, new Shards(4, 2), (short) 1).create(List.of());

      assertThat(TimestampCheck.warnings(admin, broker.bootstrap(), TOPICS)).isEmpty();
      for (var topic : List.of(TOPICS.mesh(), TOPICS.rejected(), TOPICS.unindexed())) {
        assertThat(arrival(broker, topic)).isAfter(LONG_AGO.plusSeconds(1));
      }

      var before = new ConfigResource(ConfigResource.Type.TOPIC, TOPICS.mesh());
      var type = new ConfigEntry("message.timestamp.type", "CreateTime");
      admin
          .incrementalAlterConfigs(
              Map.of(before, List.of(new AlterConfigOp(type, AlterConfigOp.OpType.SET))))
          .all()
          .get();
      assertThat(TimestampCheck.warnings(admin, broker.bootstrap(), TOPICS))
          .singleElement()
          .asString()
          .endsWith(
              "run: kafka-configs.sh --bootstrap-server %s --alter --topic trips.mesh --add-config message.timestamp.type=LogAppendTime,retention.ms=1209600000"
                  .formatted(broker.bootstrap()));
    }
  }

  /** The time that a record of long ago has in a topic. */
  private static Instant arrival(KafkaBroker broker, String topic) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", broker.bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      var record =
          new ProducerRecord<byte[], byte[]>(
              topic, 0, LONG_AGO.toEpochMilli(), new byte[1], new byte[1]);
      return Instant.ofEpochMilli(producer.send(record).get().timestamp());
    }
  }
}
