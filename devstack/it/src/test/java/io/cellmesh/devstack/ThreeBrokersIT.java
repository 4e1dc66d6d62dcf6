package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Kafka cluster of which one broker may be missing. */
class ThreeBrokersIT {
  @TempDir private Path dir;

  @Test
  void what_three_brokers_keep_is_written_while_one_of_them_is_missing() throws Exception {
    var options =
        Options.defaults()
            .withStateDir(dir)
            .withDatacenters(1)
            .withoutMySql()
            .withWorkers(0)
            .withBrokers(3)
            .withNetworkPaths();
    try (var stack = DevStack.start(options, Progress.silent())) {
      var broker = stack.broker("dc1");
      broker.create(new NewTopic("kept", Optional.of(3), Optional.empty()));
      try (var admin = broker.admin()) {
        var topic = admin.describeTopics(List.of("kept")).allTopicNames().get(20, TimeUnit.SECONDS);
        assertThat(topic.get("kept").partitions())
            .allSatisfy(partition -> assertThat(partition.replicas()).hasSize(3));
      }

      stack.brokers("dc1").get(1).kill();
      write(broker.bootstrap());
      stack.brokers("dc1").get(1).start();
      stack.brokers("dc1").get(1).awaitReady();
      NetworkPath.before(broker.port()).orElseThrow().reset();
      write(broker.bootstrap());
    }
  }

  private static void write(String bootstrap) throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap, "acks", "all");
    try (var producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (int partition = 0; partition < 3; partition++) {
        producer
            .send(new ProducerRecord<>("kept", partition, "key", "value"))
            .get(60, TimeUnit.SECONDS);
      }
    }
  }
}
