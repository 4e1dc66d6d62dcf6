package io.cellmesh.connect.sink;

import io.cellmesh.connect.sink.base.StorageSinkConnector;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;

/** Writes cells to the sharded MySQL of an instance, each to a buffer first. */
public final class CellSinkConnector extends StorageSinkConnector {
  @Override
  public ConfigDef config() {
    return CellSinkConfig.DEFINITION;
  }

  @Override
  public Config validate(Map<String, String> asked) {
    return new CellSinkValidation(super.validate(asked), asked).run();
  }

  @Override
  public Class<? extends Task> taskClass() {
    return CellSinkTask.class;
  }
}
