package io.cellmesh.herb;

import io.cellmesh.cell.LogGeneration;
import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The log as Kafka has it.
 *
 * @param kafka of this data centre
 * @param fetchBytes of an answer of a broker
 */
record KafkaLog(Topology topology, KafkaAccess kafka, int fetchBytes) implements OwnLog {
  @Override
  public String instance() {
    return topology.instance();
  }

  @Override
  public int partitions() {
    return topology.shards().partitions();
  }

  @Override
  public LogAnswer describe() throws InterruptedException {
    var topic = topology.topics().log();
    try (var admin = KafkaAnswer.admin(kafka)) {
      var described = KafkaAnswer.topic(admin, topic, kafka);
      var places =
          new LogGroup(admin, kafka, "", topic, described.partitions().size()).places(Map.of());
      return new LogAnswer(
          MeshIdentity.of(topology),
          new RememberedLog(KafkaAnswer.cluster(admin), described.topicId().toString()),
          LogGeneration.in(
              new MeshPlaces(kafka, topology.topics().meshPlace()).read(), topology.datacenter()),
          places.stream().map(ReadPlace::begin).toList(),
          places.stream().map(ReadPlace::end).toList());
    }
  }

  @Override
  public OwnCells open(Map<Integer, Long> next) {
    var settings = LinkSettings.client(kafka);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1_000);
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, fetchBytes);
    var consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    return new OwnCells(consumer, topology.topics().log(), topology.datacenter(), next);
  }
}
