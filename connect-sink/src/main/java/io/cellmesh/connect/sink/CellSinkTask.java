package io.cellmesh.connect.sink;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/** The shell that Connect sees: starts and stops the core, and keeps its pace. */
public final class CellSinkTask extends SinkTask {
  /** An idle task is called this often, in milliseconds, to catch up lanes that are behind. */
  private static final long IDLE_CALL = 500;

  private StartedCellSink sink;

  @Override
  public String version() {
    return Version.get();
  }

  @Override
  public void start(Map<String, String> settings) {
    sink = new StartedCellSink(new CellSinkConfig(settings), context);
  }

  @Override
  public void open(Collection<TopicPartition> partitions) {
    sink.core().open(partitions);
  }

  @Override
  public void close(Collection<TopicPartition> partitions) {
    if (sink != null) {
      sink.core().close(partitions);
    }
  }

  @Override
  public void put(Collection<SinkRecord> records) {
    context.timeout(IDLE_CALL);
    sink.core().put(records, context::offset);
  }

  @Override
  public Map<TopicPartition, OffsetAndMetadata> preCommit(
      Map<TopicPartition, OffsetAndMetadata> seen) {
    sink.checkServers();
    try {
      return sink.core().secured(seen);
    } catch (RetriableException e) {
      // Nothing is committed this time; the records stay secured by what is in Kafka.
      return Map.of();
    }
  }

  @Override
  public void stop() {
    if (sink != null) {
      sink.close();
    }
  }
}
