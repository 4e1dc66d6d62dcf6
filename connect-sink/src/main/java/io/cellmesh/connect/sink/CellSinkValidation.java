package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.connect.converter.EnvelopeConverter;
import io.cellmesh.connect.sink.base.Converters;
import io.cellmesh.connect.sink.base.StorageSettings;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The checks across settings, and against what the settings lead to: what the MySQL servers are
 * like and the partition counts in Kafka. What can't be reached is not judged.
 */
final class CellSinkValidation {
  private static final int ATTEMPTS = 6;
  private static final int ANSWER_SECONDS = 6;
  private static final String TOPICS = "topics";
  private static final String TOPICS_REGEX = "topics.regex";

  private final Config config;
  private final Map<String, String> asked;

  CellSinkValidation(Config config, Map<String, String> asked) {
    this.config = config;
    this.asked = asked;
  }

  Config run() {
    checkRejections();
    Converters.problems(asked, EnvelopeConverter.class.getName()).forEach(this::error);
    checkPattern();
    if (settled()) {
      StorageSettings.problems(asked).forEach(this::error);
    }
    if (settled()) {
      var valid = new CellSinkConfig(asked);
      checkTopics(valid.topology());
      checkServers(valid);
      checkPartitions(valid);
    }
    return config;
  }

  private boolean settled() {
    return config.configValues().stream().allMatch(value -> value.errorMessages().isEmpty());
  }

  private void checkRejections() {
    if (!"all".equals(asked.get("errors.tolerance"))) {
      error(
          "errors.tolerance",
          "must be all: a record that is no cell goes to the dead-letter topic and stops nothing");
    }
    if (asked.getOrDefault(StorageSettings.REJECTED_TOPIC, "").isEmpty()) {
      error(
          StorageSettings.REJECTED_TOPIC,
          "must name the topic for rejected records, for example trips.rejected");
    }
  }

  private void checkPattern() {
    try {
      pattern();
    } catch (PatternSyntaxException e) {
      error(TOPICS_REGEX, "is no pattern: " + e.getMessage());
    }
  }

  /** Of the topics, if they are not named. */
  private Optional<Pattern> pattern() {
    return Optional.ofNullable(asked.get(TOPICS_REGEX))
        .filter(text -> !text.isBlank())
        .map(Pattern::compile);
  }

  private void checkTopics(Topology topology) {
    var ingest = ingestTopics(topology);
    if (pattern().isPresent()) {
      if (subscribed(ingest).isEmpty()) {
        error(TOPICS_REGEX, "matches none of " + ingest);
      }
    } else {
      subscribed(ingest).stream()
          .filter(topic -> !ingest.contains(topic))
          .forEach(topic -> error(TOPICS, "\"" + topic + "\" is not one of " + ingest));
    }
  }

  private static List<String> ingestTopics(Topology topology) {
    return List.of(topology.topics().cells(), topology.topics().mesh());
  }

  /** The topics that are named, or the ingest topics that match the pattern. */
  private List<String> subscribed(List<String> ingest) {
    return pattern()
        .map(pattern -> ingest.stream().filter(pattern.asMatchPredicate()).toList())
        .orElseGet(() -> List.of(asked.getOrDefault(TOPICS, "").strip().split("\\s*,\\s*")));
  }

  private void checkServers(CellSinkConfig valid) {
    try (var nodes = new Nodes(new Pools(valid.credentials(), valid.mysql()));
        var checkThreads = new StartCheckThreads("cellmesh-validation")) {
      // The task tells the warnings when it starts.
      var checks = StartChecks.of(valid, nodes, checkThreads, warning -> {});
      checks.run().forEach(refusal -> error(refusal.setting(), refusal.text()));
    }
  }

  private void checkPartitions(CellSinkConfig valid) {
    var topology = valid.topology();
    var properties = valid.kafka();
    properties.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5000);
    properties.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 4000);
    try (var admin = Admin.create(properties)) {
      checkMatches(admin, topology);
      for (var topic : subscribed(ingestTopics(topology))) {
        int partitions = partitions(admin, topic);
        if (partitions != topology.shards().partitions()) {
          error(
              pattern().isPresent() ? TOPICS_REGEX : TOPICS,
              "%s has %d partitions, the topology says partitions: %d; rows would not be routed to their shards"
                  .formatted(topic, partitions, topology.shards().partitions()));
        }
      }
    } catch (ExecutionException | TimeoutException e) {
      if (e.getCause() instanceof AuthorizationException) {
        error(
            StorageSettings.KAFKA_BOOTSTRAP_SERVERS,
            "its Kafka user may not Describe each of %s; it needs Read: `cellmesh grants --kafka --role sink` prints its ACLs"
                .formatted(asked.get("topics")));
        return;
      }
      undescribed(e);
    } catch (KafkaException e) {
      // No client can be made, as where no broker's name can be resolved.
      undescribed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void undescribed(Exception e) {
    error(
        StorageSettings.KAFKA_BOOTSTRAP_SERVERS,
        "the topics can't be described: " + (e.getCause() == null ? e : e.getCause()).getMessage());
  }

  /** A pattern matches what is in Kafka, ingest topic or not. */
  private void checkMatches(Admin admin, Topology topology)
      throws ExecutionException, TimeoutException, InterruptedException {
    var pattern = pattern();
    if (pattern.isPresent()) {
      var ingest = ingestTopics(topology);
      admin.listTopics().names().get(ANSWER_SECONDS, TimeUnit.SECONDS).stream()
          .filter(pattern.get().asMatchPredicate())
          .filter(topic -> !ingest.contains(topic))
          .forEach(topic -> error(TOPICS_REGEX, "matches " + topic + ", not one of " + ingest));
    }
  }

  /** A topic that was created just now is not known to every broker yet: it is asked for again. */
  private static int partitions(Admin admin, String topic)
      throws ExecutionException, TimeoutException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        var described = admin.describeTopics(List.of(topic)).topicNameValues().get(topic);
        return described.get(ANSWER_SECONDS, TimeUnit.SECONDS).partitions().size();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException) || attempt == ATTEMPTS) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(500);
      }
    }
  }

  private void error(String setting, String message) {
    var value =
        config.configValues().stream()
            .filter(known -> known.name().equals(setting))
            .findFirst()
            .orElseGet(() -> added(setting));
    value.addErrorMessage(setting + ": " + message);
  }

  /** A setting of Connect's own: the worker shows it with our message beside its own. */
  private ConfigValue added(String setting) {
    var value = new ConfigValue(setting);
    config.configValues().add(value);
    return value;
  }
}
