package io.cellmesh.operations.check;

import io.cellmesh.cell.Topics;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.check.Finding.Mark;
import io.cellmesh.operations.instance.TimestampCheck;
import io.cellmesh.operations.instance.TopicPlan;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogShape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The brokers of a data centre and the topics of its instance. */
final class KafkaCheck {
  private static final int SECONDS = 10;
  private static final int MOST_NAMED = 20;
  private static final String UNLIMITED = "-1";

  private final DataCenter dc;
  private final List<IndexVersion> indexes;

  KafkaCheck(DataCenter dc, List<IndexVersion> indexes) {
    this.dc = dc;
    this.indexes = indexes;
  }

  void run(Consumer<Finding> tell) throws InterruptedException {
    try (var admin = Consumers.admin(dc.kafka())) {
      int brokers = admin.describeCluster().nodes().get(SECONDS, TimeUnit.SECONDS).size();
      tell.accept(
          finding(Mark.GOOD, brokers == 1 ? "one broker answers" : brokers + " brokers answer"));
      topics(admin, tell);
    } catch (KafkaException e) {
      tell.accept(finding(Mark.WRONG, "can't be asked: " + root(e)));
    } catch (ExecutionException e) {
      tell.accept(finding(Mark.WRONG, "refuses: " + root(e.getCause())));
    } catch (TimeoutException e) {
      tell.accept(
          finding(
              Mark.WRONG,
              "does not answer within %d s; are its address and the client settings (TLS, SASL) right?"
                  .formatted(SECONDS)));
    }
  }

  private void topics(Admin admin, Consumer<Finding> tell)
      throws InterruptedException, ExecutionException {
    var missing = new TreeSet<String>();
    var warnings = new TreeMap<String, List<String>>();
    var labels = indexes.stream().map(IndexVersion::label).toList();
    var wanted = wanted(dc.topology(), labels, admin.listTopics().names().get());
    var found = new LinkedHashMap<NewTopic, TopicDescription>();
    var described = admin.describeTopics(names(wanted)).topicNameValues();
    for (var topic : wanted) {
      try {
        found.put(topic, described.get(topic.name()).get());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
        missing.add(topic.name());
      }
    }
    var settings = settings(admin, names(found.keySet()));
    for (var topic : found.entrySet()) {
      var name = topic.getKey().name();
      partitions(dc.topology().topics(), topic.getKey(), topic.getValue().partitions().size())
          .ifPresent(text -> tell.accept(finding(Mark.WRONG, text)));
      Stream.of(
              safety(topic.getValue(), settings.get(name)),
              forgets(topic.getKey(), settings.get(name)))
          .flatMap(Optional::stream)
          .forEach(why -> warnings.computeIfAbsent(why, w -> new ArrayList<>()).add(name));
    }
    warnings.forEach(
        (why, of) -> tell.accept(finding(Mark.WARNING, "%s: %s".formatted(joined(of), why))));
    if (missing.isEmpty()) {
      TimestampCheck.warnings(dc).forEach(text -> tell.accept(finding(Mark.WARNING, text)));
    } else {
      tell.accept(
          finding(
              Mark.WARNING,
              "has no %s yet; `cellmesh instance create` makes what is missing"
                  .formatted(joined(missing))));
    }
  }

  /**
   * The topics of the instance as {@code cellmesh instance create} makes them.
   *
   * @param indexes their labels
   * @param there the topics that there are: they tell the shape of the log
   */
  static List<NewTopic> wanted(Topology topology, List<String> indexes, Set<String> there) {
    var topics = topology.topics();
    boolean eachShard = !there.contains(topics.log()) && there.contains(topics.log(0));
    var shape = eachShard ? LogShape.TOPIC : LogShape.PARTITION;
    return new TopicPlan(topics, topology.shards(), shape, (short) -1).topics(indexes);
  }

  private static Map<String, Map<String, String>> settings(Admin admin, List<String> topics)
      throws InterruptedException, ExecutionException {
    var resources =
        topics.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    var settings = new HashMap<String, Map<String, String>>();
    admin
        .describeConfigs(resources)
        .all()
        .get()
        .forEach(
            (topic, config) -> {
              var values = new HashMap<String, String>();
              config.entries().forEach(entry -> values.put(entry.name(), entry.value()));
              settings.put(topic.name(), values);
            });
    return settings;
  }

  /** What is wrong with the number of partitions, by which shards are routed in most topics. */
  static Optional<String> partitions(Topics topics, NewTopic topic, int found) {
    int wanted = topic.numPartitions();
    if (found == wanted) {
      return Optional.empty();
    }
    if (wanted == 1) {
      return Optional.of("%s has %d partitions and must have one".formatted(topic.name(), found));
    }
    boolean routes = !List.of(topics.rejected(), topics.unindexed()).contains(topic.name());
    return Optional.of(
        "%s has %d partitions, the topology says partitions: %d; %s"
            .formatted(
                topic.name(),
                found,
                wanted,
                routes
                    ? "rows would not be routed to their shards"
                    : "no shard is routed by it, but `cellmesh instance create` refuses it: delete it when its records are no longer needed, and run that"));
  }

  /** What takes records away that are to be kept. */
  static Optional<String> forgets(NewTopic topic, Map<String, String> settings) {
    var others =
        TopicPlan.KEEPING.stream()
            .filter(setting -> isToBeKept(topic.configs().get(setting), setting))
            .filter(setting -> !topic.configs().get(setting).equals(settings.get(setting)))
            .map(
                setting ->
                    "%s=%s and not %s"
                        .formatted(setting, settings.get(setting), topic.configs().get(setting)))
            .toList();
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            String.join(", ", others)
                + ", so what it holds is forgotten; change that with kafka-configs.sh, unless whoever reads it is done by then");
  }

  private static boolean isToBeKept(String wanted, String setting) {
    return wanted != null
        && (setting.equals(TopicConfig.CLEANUP_POLICY_CONFIG) || wanted.equals(UNLIMITED));
  }

  /** What the loss of one broker would cost. */
  private static Optional<String> safety(TopicDescription topic, Map<String, String> settings) {
    int replicas = topic.partitions().stream().mapToInt(p -> p.replicas().size()).min().orElse(0);
    int inSync = Integer.parseInt(settings.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG));
    if (replicas < 2) {
      return Optional.of(
          "one replica, so a lost disk loses what is accepted and not yet secured; use a replication factor of 3");
    }
    if (inSync < 2) {
      return Optional.of(
          "min.insync.replicas is 1, so a broker alone may accept what is lost with it; set it to 2");
    }
    if (inSync >= replicas) {
      return Optional.of(
          "%d replicas and min.insync.replicas %d, so with one broker down nobody can produce; use a replication factor of %d"
              .formatted(replicas, inSync, inSync + 1));
    }
    return Optional.empty();
  }

  private static List<String> names(Collection<NewTopic> topics) {
    return topics.stream().map(NewTopic::name).toList();
  }

  /** A log may have a topic for each of thousands of shards. */
  private static String joined(Collection<String> topics) {
    int more = topics.size() - MOST_NAMED;
    return topics.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (more > 0 ? " and %d more".formatted(more) : "");
  }

  private static String root(Throwable e) {
    var root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage();
  }

  private Finding finding(Mark mark, String text) {
    return new Finding(dc.name(), "kafka " + dc.kafka().bootstrap(), mark, text);
  }
}
