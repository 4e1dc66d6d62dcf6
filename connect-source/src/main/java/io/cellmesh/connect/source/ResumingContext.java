package io.cellmesh.connect.source;

import java.util.Map;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.source.TransactionContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** Connect's context, but for where to resume. */
record ResumingContext(SourceTaskContext connect, OffsetStorageReader offsetStorageReader)
    implements SourceTaskContext {

  @Override
  public Map<String, String> configs() {
    return connect.configs();
  }

  @Override
  public TransactionContext transactionContext() {
    return connect.transactionContext();
  }

  @Override
  public PluginMetrics pluginMetrics() {
    return connect.pluginMetrics();
  }
}
