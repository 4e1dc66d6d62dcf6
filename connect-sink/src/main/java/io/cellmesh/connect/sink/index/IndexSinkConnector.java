package io.cellmesh.connect.sink.index;

import io.cellmesh.connect.sink.base.Converters;
import io.cellmesh.connect.sink.base.StorageSettings;
import io.cellmesh.connect.sink.base.StorageSinkConnector;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.connector.Task;

/** Writes the entries of indexes to their tables, on the shards of the shard fields. */
public final class IndexSinkConnector extends StorageSinkConnector {
  private static final String TOLERANCE = "errors.tolerance";

  @Override
  public ConfigDef config() {
    return IndexSinkConfig.DEFINITION;
  }

  @Override
  public Config validate(Map<String, String> asked) {
    var config = super.validate(asked);
    if (!"all".equals(asked.get(TOLERANCE))) {
      refuse(config, TOLERANCE, "must be all: a malformed record must stop no other");
    }
    if (asked.getOrDefault(StorageSettings.REJECTED_TOPIC, "").isEmpty()) {
      refuse(config, StorageSettings.REJECTED_TOPIC, "must name the topic for malformed records");
    }
    Converters.problems(asked).forEach((setting, rule) -> refuse(config, setting, rule));
    if (config.configValues().stream().allMatch(value -> value.errorMessages().isEmpty())) {
      validateTogether(config, asked);
    }
    return config;
  }

  @Override
  public Class<? extends Task> taskClass() {
    return IndexSinkTask.class;
  }

  private static void validateTogether(Config config, Map<String, String> asked) {
    var problems = StorageSettings.problems(asked);
    if (!problems.isEmpty()) {
      problems.forEach((setting, problem) -> refuse(config, setting, problem));
      return;
    }
    try {
      var valid = new IndexSinkConfig(asked);
      if (!valid.topics().equals(topics(asked))) {
        refuse(
            config,
            "topics",
            "must be %s, where the entries of the indexes are"
                .formatted(String.join(",", valid.topics())));
      }
    } catch (ConfigException e) {
      refuse(config, IndexSinkConfig.INDEXES, e.getMessage());
    }
  }

  private static Set<String> topics(Map<String, String> asked) {
    return Arrays.stream(asked.getOrDefault("topics", "").split(","))
        .map(String::strip)
        .filter(topic -> !topic.isEmpty())
        .collect(Collectors.toSet());
  }

  private static void refuse(Config config, String setting, String rule) {
    config.configValues().stream()
        .filter(value -> value.name().equals(setting))
        .findFirst()
        .orElseGet(
            () -> {
              var value = new ConfigValue(setting);
              config.configValues().add(value);
              return value;
            })
        .addErrorMessage(setting + ": " + rule);
  }
}
