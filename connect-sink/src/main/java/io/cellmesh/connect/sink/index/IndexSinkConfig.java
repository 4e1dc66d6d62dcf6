package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexDefinitionException;
import io.cellmesh.connect.sink.StorageSettings;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/** The settings of {@link IndexSinkConnector}. */
final class IndexSinkConfig extends StorageSettings {
  static final String INDEX = "index";
  static final String RETRY_BACKOFF = "retry.backoff.ms";

  static final ConfigDef DEFINITION =
      define(topology -> {}, "every shard owned by exactly one cluster")
          .define(
              INDEX,
              Type.STRING,
              ConfigDef.NO_DEFAULT_VALUE,
              ConfigDef.LambdaValidator.with(
                  (name, value) -> index((String) value), () -> "a valid index definition"),
              Importance.HIGH,
              "The index definition: the text of its YAML file itself.")
          .define(
              RETRY_BACKOFF,
              Type.LONG,
              1000,
              Range.between(100, 60_000),
              Importance.LOW,
              "Milliseconds until a master that did not take a batch is tried again, if it answers; twice as long after each failure in a row, up to 16 times.");

  private final IndexDefinition index;

  /**
   * @throws ConfigException naming the setting and the rule
   */
  IndexSinkConfig(Map<String, String> settings) {
    super(DEFINITION, settings);
    this.index = index(getString(INDEX));
    if (!index.datastore().equals(topology().instance())) {
      throw new ConfigException(
          "datastore \"%s\" is not the topology's instance, %s"
              .formatted(index.datastore(), topology().instance()));
    }
  }

  private static IndexDefinition index(String yaml) {
    try {
      return yaml == null ? null : IndexDefinition.parse(yaml);
    } catch (IndexDefinitionException e) {
      throw new ConfigException(INDEX + ": " + e.getMessage());
    }
  }

  IndexDefinition index() {
    return index;
  }

  /** The topic that this index's entries come from. */
  String topic() {
    return topology().topics().index(index.label());
  }

  long retryBackoff() {
    return getLong(RETRY_BACKOFF);
  }
}
