package io.cellmesh.connect.sink.index;

import io.cellmesh.connect.sink.base.CommitGuard;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.connect.sink.base.Rejections;
import io.cellmesh.connect.sink.base.Version;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/** The shell that Connect sees: starts and stops the core, and keeps its pace. */
public final class IndexSinkTask extends SinkTask {
  /** While something waits the task is called this often, in milliseconds. */
  private static final long WAITING_CALL = 50;

  private final CommitGuard guard = new CommitGuard();
  private IndexSink sink;

  @Override
  public String version() {
    return Version.get();
  }

  @Override
  public void start(Map<String, String> settings) {
    var config = new IndexSinkConfig(settings);
    var metrics = new IndexSinkMetrics(MetricsHome.of(context), config.topology());
    sink = IndexSink.start(config, Rejections.of(config, metrics::rejectedWithoutValue), metrics);
  }

  @Override
  public void put(Collection<SinkRecord> records) {
    guard.check();
    if (sink.put(records, context::offset)) {
      context.timeout(WAITING_CALL);
    }
  }

  /** Names what is written; what that fails with the next {@link #put} throws. */
  @Override
  public Map<TopicPartition, OffsetAndMetadata> preCommit(
      Map<TopicPartition, OffsetAndMetadata> seen) {
    return guard.offsets(() -> sink.committable(seen));
  }

  @Override
  public void open(Collection<TopicPartition> partitions) {
    sink.forget(partitions);
  }

  @Override
  public void close(Collection<TopicPartition> partitions) {
    if (sink != null) {
      sink.forget(partitions);
    }
  }

  @Override
  public void stop() {
    if (sink != null) {
      sink.close();
    }
  }
}
