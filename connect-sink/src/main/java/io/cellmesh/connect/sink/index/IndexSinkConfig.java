package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexDefinitionException;
import io.cellmesh.connect.sink.base.StorageSettings;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/** The settings of {@link IndexSinkConnector}. */
final class IndexSinkConfig extends StorageSettings {
  static final String INDEXES = "indexes";
  static final String RETRY_BACKOFF = "retry.backoff.ms";

  static final ConfigDef DEFINITION =
      kafka(
              define(topology -> {}, "every shard owned by exactly one cluster"),
              "Brokers of the topic that malformed records are told in.")
          .define(
              INDEXES,
              Type.STRING,
              ConfigDef.NO_DEFAULT_VALUE,
              ConfigDef.LambdaValidator.with(
                  (name, value) -> indexes((String) value), () -> "valid index definitions"),
              Importance.HIGH,
              "The index definitions: the text of their YAML files, a line of three dashes between each two.")
          .define(
              RETRY_BACKOFF,
              Type.LONG,
              1000,
              Range.between(100, 60_000),
              Importance.LOW,
              "Milliseconds until a master that did not take a batch is tried again, if it answers; twice as long after each failure in a row, up to 16 times.");

  private final List<IndexDefinition> indexes;

  /**
   * @throws ConfigException naming the setting and the rule
   */
  IndexSinkConfig(Map<String, String> settings) {
    super(DEFINITION, settings);
    this.indexes = indexes(getString(INDEXES));
    for (var index : indexes) {
      if (!index.datastore().equals(topology().instance())) {
        throw new ConfigException(
            "datastore \"%s\" of %s is not the topology's instance, %s"
                .formatted(index.datastore(), index.label(), topology().instance()));
      }
    }
  }

  private static List<IndexDefinition> indexes(String yaml) {
    try {
      return yaml == null ? List.of() : IndexDefinition.parseAll(yaml);
    } catch (IndexDefinitionException e) {
      throw new ConfigException(INDEXES + ": " + e.getMessage());
    }
  }

  List<IndexDefinition> indexes() {
    return indexes;
  }

  /** Of all indexes, for the log. */
  String labels() {
    return indexes.stream().map(IndexDefinition::label).collect(Collectors.joining(", "));
  }

  /** The topics that the indexes' entries come from, in the order of the definitions. */
  Set<String> topics() {
    return indexes.stream()
        .map(index -> topology().topics().index(index.label()))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  long retryBackoff() {
    return getLong(RETRY_BACKOFF);
  }
}
