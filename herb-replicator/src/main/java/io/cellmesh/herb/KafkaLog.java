package io.cellmesh.herb;

import io.cellmesh.cell.LogGeneration;
import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.Seed;
import io.cellmesh.deployment.SeedTopic;
import io.cellmesh.deployment.peer.LogAnswer;
import java.util.Map;
import java.util.Optional;
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
    var places = new MeshPlaces(kafka, topology.topics().meshPlace()).read();
    return describe(topology.topics().log(), LogGeneration.in(places, topology.datacenter()));
  }

  @Override
  public TopicBatches open(Map<Integer, Long> next) {
    return open(topology.topics().log(), new OwnCells(topology.datacenter()), next);
  }

  @Override
  public LogAnswer describeCheckpoints() throws InterruptedException {
    return describe(topology.topics().checkpoint(), LogGeneration.FIRST);
  }

  @Override
  public TopicBatches checkpoints(String peer, Map<Integer, Long> next) {
    return open(
        topology.topics().checkpoint(), new SharedCheckpoints(topology.datacenter(), peer), next);
  }

  @Override
  public Optional<Seed> seed(String peer) throws InterruptedException {
    return new SeedTopic(kafka, topology.topics().seed(peer)).read();
  }

  @Override
  public LogAnswer describeSeed(String peer) throws InterruptedException {
    return describe(topology.topics().seed(peer), LogGeneration.FIRST);
  }

  @Override
  public TopicBatches seed(String peer, Map<Integer, Long> next) {
    return open(topology.topics().seed(peer), TopicBatches.Filter.NONE, next);
  }

  /** The log alone has generations, which are read of the places. */
  private LogAnswer describe(String topic, int generation) throws InterruptedException {
    try (var admin = KafkaAnswer.admin(kafka)) {
      var described = KafkaAnswer.topic(admin, topic, kafka);
      var places =
          new LogGroup(admin, kafka, "", topic, described.partitions().size()).places(Map.of());
      return new LogAnswer(
          MeshIdentity.of(topology),
          new RememberedLog(KafkaAnswer.cluster(admin), described.topicId().toString()),
          generation,
          places.stream().map(ReadPlace::begin).toList(),
          places.stream().map(ReadPlace::end).toList());
    }
  }

  private TopicBatches open(String topic, TopicBatches.Filter filter, Map<Integer, Long> next) {
    var settings = kafka.reader();
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, TopicBatches.POLLED);
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, fetchBytes);
    var consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    return new TopicBatches(consumer, topic, filter, next);
  }
}
