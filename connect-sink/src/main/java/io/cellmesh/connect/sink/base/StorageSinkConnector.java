package io.cellmesh.connect.sink.base;

import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.sink.SinkConnector;

/** A sink into the storage clusters, all of whose tasks have its settings. */
public abstract class StorageSinkConnector extends SinkConnector {
  private Map<String, String> settings;

  @Override
  public final String version() {
    return Version.get();
  }

  @Override
  public final void start(Map<String, String> started) {
    settings = Map.copyOf(started);
  }

  @Override
  public final List<Map<String, String>> taskConfigs(int maxTasks) {
    return StorageSettings.ofTasks(settings, maxTasks);
  }

  @Override
  public final void stop() {}
}
