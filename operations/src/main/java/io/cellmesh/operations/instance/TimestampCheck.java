package io.cellmesh.operations.instance;

import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.topics.Consumers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Finds topics of an instance whose records carry the times of old cells, so that retention may
 * take them before they are read: those that were made by a version of this tool which left that to
 * the brokers.
 */
public final class TimestampCheck {
  private TimestampCheck() {}

  /** Asks the Kafka of a data centre, as {@link #warnings(Admin, String, Topics)}. */
  public static List<String> warnings(DataCenter dc) throws InterruptedException {
    try (var admin = Consumers.admin(dc.kafka())) {
      return warnings(admin, dc.kafka().bootstrap(), dc.topology().topics());
    }
  }

  /**
   * Asks Kafka.
   *
   * @param bootstrap where the command that mends a topic reaches it
   * @return a sentence for each such topic, with the command that mends it
   * @throws KafkaException if Kafka does not answer, or a topic is missing
   */
  static List<String> warnings(Admin admin, String bootstrap, Topics topics)
      throws InterruptedException {
    var resources =
        List.of(topics.mesh(), topics.rejected(), topics.unindexed()).stream()
            .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
            .toList();
    try {
      var configs = admin.describeConfigs(resources).all().get();
      var warnings = new ArrayList<String>();
      for (var resource : resources) {
        if (!isByArrival(configs.get(resource))) {
          warnings.add(warning(resource.name(), bootstrap));
        }
      }
      return warnings;
    } catch (ExecutionException e) {
      throw new KafkaException(e.getCause().getMessage(), e.getCause());
    }
  }

  private static boolean isByArrival(Config config) {
    var type = config.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG);
    var wanted = TopicPlan.BY_ARRIVAL.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG);
    return type != null && wanted.equals(type.value());
  }

  private static String warning(String topic, String bootstrap) {
    return "warning: records of %s expire by the time of the cells that they tell of; run: kafka-configs.sh --bootstrap-server %s --alter --topic %s --add-config %s"
        .formatted(
            topic,
            bootstrap,
            topic,
            String.join(
                ",",
                TopicPlan.BY_ARRIVAL.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .map(config -> config.getKey() + "=" + config.getValue())
                    .toList()));
  }
}
