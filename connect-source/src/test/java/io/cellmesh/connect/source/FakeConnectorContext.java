package io.cellmesh.connect.source;

import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceConnectorContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * Connect as a connector sees it.
 *
 * @param pluginMetrics null as in a worker that has none
 */
record FakeConnectorContext(PluginMetrics pluginMetrics) implements SourceConnectorContext {
  @Override
  public OffsetStorageReader offsetStorageReader() {
    return new FakeTaskContext();
  }

  @Override
  public void requestTaskReconfiguration() {
    throw new AssertionError("nobody has looked for a task long enough");
  }

  @Override
  public void raiseError(Exception e) {
    throw new AssertionError(e);
  }
}
