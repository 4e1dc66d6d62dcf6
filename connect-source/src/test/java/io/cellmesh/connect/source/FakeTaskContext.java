package io.cellmesh.connect.source;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** Connect as a task sees it, with offsets that are stored when the test says so. */
final class FakeTaskContext implements SourceTaskContext, OffsetStorageReader {
  private final Map<Map<String, ?>, Map<String, Object>> offsets = new ConcurrentHashMap<>();

  void store(SourceRecord record) {
    offsets.put(Map.copyOf(record.sourcePartition()), Map.copyOf(record.sourceOffset()));
  }

  /** As a person does it over REST. */
  void store(Map<String, ?> offset) {
    offsets.replaceAll((partition, old) -> Map.copyOf(offset));
  }

  @Override
  public Map<String, String> configs() {
    return Map.of();
  }

  @Override
  public OffsetStorageReader offsetStorageReader() {
    return this;
  }

  @Override
  public PluginMetrics pluginMetrics() {
    return null;
  }

  @Override
  public <T> Map<String, Object> offset(Map<String, T> partition) {
    return offsets.get(partition);
  }

  @Override
  public <T> Map<Map<String, T>, Map<String, Object>> offsets(
      Collection<Map<String, T>> partitions) {
    var found = new HashMap<Map<String, T>, Map<String, Object>>();
    for (var partition : partitions) {
      var offset = offset(partition);
      if (offset != null) {
        found.put(partition, offset);
      }
    }
    return found;
  }
}
