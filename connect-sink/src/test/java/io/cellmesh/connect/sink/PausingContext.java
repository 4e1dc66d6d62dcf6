package io.cellmesh.connect.sink;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkTaskContext;

/** Connect as far as it pauses partitions: only those that are assigned may be named. */
final class PausingContext implements SinkTaskContext {
  final Set<TopicPartition> assigned;
  final Set<TopicPartition> paused = new HashSet<>();
  long timeout;

  PausingContext(TopicPartition... assigned) {
    this.assigned = new HashSet<>(List.of(assigned));
  }

  @Override
  public Set<TopicPartition> assignment() {
    return Set.copyOf(assigned);
  }

  @Override
  public void pause(TopicPartition... partitions) {
    paused.addAll(owned(partitions));
  }

  @Override
  public void resume(TopicPartition... partitions) {
    paused.removeAll(owned(partitions));
  }

  @Override
  public void timeout(long millis) {
    timeout = millis;
  }

  @Override
  public Map<String, String> configs() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void offset(Map<TopicPartition, Long> offsets) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void offset(TopicPartition at, long offset) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void requestCommit() {
    throw new UnsupportedOperationException();
  }

  @Override
  public ErrantRecordReporter errantRecordReporter() {
    throw new UnsupportedOperationException();
  }

  @Override
  public PluginMetrics pluginMetrics() {
    throw new UnsupportedOperationException();
  }

  private Set<TopicPartition> owned(TopicPartition... partitions) {
    var named = Set.of(partitions);
    if (!assigned.containsAll(named)) {
      throw new IllegalStateException("not assigned: " + named);
    }
    return named;
  }
}
