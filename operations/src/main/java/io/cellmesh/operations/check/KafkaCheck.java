package io.cellmesh.operations.check;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.check.Finding.Mark;
import io.cellmesh.operations.instance.TimestampCheck;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.topics.Consumers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The brokers of a data centre and the topics of its instance. */
final class KafkaCheck {
  private static final int SECONDS = 10;

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
    var unsafe = new TreeMap<String, List<String>>();
    for (var topic : wanted()) {
      try {
        var described = admin.describeTopics(Set.of(topic)).topicNameValues().get(topic).get();
        safety(admin, described)
            .ifPresent(why -> unsafe.computeIfAbsent(why, w -> new ArrayList<>()).add(topic));
        partitions(described, tell);
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
        missing.add(topic);
      }
    }
    unsafe.forEach(
        (why, of) ->
            tell.accept(finding(Mark.WARNING, "%s: %s".formatted(String.join(", ", of), why))));
    if (missing.isEmpty()) {
      TimestampCheck.warnings(dc).forEach(text -> tell.accept(finding(Mark.WARNING, text)));
    } else {
      tell.accept(
          finding(
              Mark.WARNING,
              "has no %s yet; `cellmesh instance create` makes what is missing"
                  .formatted(String.join(", ", missing))));
    }
  }

  private List<String> wanted() {
    var topics = dc.topology().topics();
    var wanted =
        new ArrayList<>(
            List.of(
                topics.cells(),
                topics.mesh(),
                topics.rejected(),
                topics.unindexed(),
                topics.heartbeat(),
                topics.meshPlace(),
                topics.checkpoint(),
                topics.passes()));
    indexes.forEach(index -> wanted.add(topics.index(index.label())));
    return wanted;
  }

  private void partitions(TopicDescription topic, Consumer<Finding> tell) {
    var topics = dc.topology().topics();
    int wanted = dc.topology().shards().partitions();
    int found = topic.partitions().size();
    if (Set.of(topics.cells(), topics.mesh()).contains(topic.name()) && found != wanted) {
      tell.accept(
          finding(
              Mark.WRONG,
              "%s has %d partitions, the topology says partitions: %d; rows would not be routed to their shards"
                  .formatted(topic.name(), found, wanted)));
    }
  }

  /** What the loss of one broker would cost. */
  private static Optional<String> safety(Admin admin, TopicDescription topic)
      throws InterruptedException, ExecutionException {
    int replicas = topic.partitions().stream().mapToInt(p -> p.replicas().size()).min().orElse(0);
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
    var config = admin.describeConfigs(Set.of(resource)).all().get().get(resource);
    int inSync = Integer.parseInt(config.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).value());
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
