package io.cellmesh.connect.sink;

import io.cellmesh.connect.sink.base.StorageSettings;
import io.cellmesh.connect.sink.base.Version;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;

/** Writes cells to the sharded MySQL of an instance, each to a buffer first. */
public final class CellSinkConnector extends SinkConnector {
  private Map<String, String> settings;

  @Override
  public String version() {
    return Version.get();
  }

  @Override
  public ConfigDef config() {
    return CellSinkConfig.DEFINITION;
  }

  @Override
  public Config validate(Map<String, String> asked) {
    return new CellSinkValidation(super.validate(asked), asked).run();
  }

  @Override
  public void start(Map<String, String> started) {
    settings = Map.copyOf(started);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return CellSinkTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    return StorageSettings.ofTasks(settings, maxTasks);
  }

  @Override
  public void stop() {}
}
