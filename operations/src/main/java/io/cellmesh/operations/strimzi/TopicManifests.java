package io.cellmesh.operations.strimzi;

import io.cellmesh.deployment.StrimziCluster;
import io.cellmesh.operations.instance.TopicPlan;
import java.util.List;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.NewTopic;

/** A KafkaTopic for each topic of an instance, as {@code instance create} would make it. */
public final class TopicManifests {
  private TopicManifests() {}

  /**
   * @throws io.cellmesh.operations.OperationException if nobody says which Kafka
   */
  public static List<Manifest> of(StrimziCluster cluster, TopicPlan plan) {
    var kafka = KafkaResource.name(cluster);
    return plan.topics(List.of()).stream().map(topic -> of(cluster, kafka, topic)).toList();
  }

  private static Manifest of(StrimziCluster cluster, String kafka, NewTopic topic) {
    var name = topic.name().replace('_', '-');
    var manifest =
        Manifest.of(Manifest.STRIMZI, "KafkaTopic", name, cluster)
            .labelled(Manifest.CLUSTER, kafka);
    var spec = manifest.spec();
    if (!name.equals(topic.name())) {
      spec.put("topicName", topic.name());
    }
    spec.put("partitions", topic.numPartitions());
    if (topic.replicationFactor() > 0) {
      spec.put("replicas", topic.replicationFactor());
    }
    var config = spec.putObject("config");
    new TreeMap<>(topic.configs()).forEach(config::put);
    return manifest;
  }
}
