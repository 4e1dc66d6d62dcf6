package io.cellmesh.connect.sink;

import io.cellmesh.connect.sink.base.CommitGuard;
import io.cellmesh.connect.sink.base.Original;
import io.cellmesh.connect.sink.base.Version;
import io.cellmesh.storage.IngestTopic;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/** The shell that Connect sees: starts and stops the core, and keeps its pace. */
public final class CellSinkTask extends SinkTask {
  /** An idle task is called this often, in milliseconds, to catch up lanes that are behind. */
  private static final long IDLE_CALL = 500;

  private final CommitPace commits = new CommitPace(System.nanoTime());
  private final CommitGuard guard = new CommitGuard();
  private StartedCellSink sink;
  private Turns turns;

  @Override
  public String version() {
    return Version.get();
  }

  @Override
  public void start(Map<String, String> settings) {
    var config = new CellSinkConfig(settings);
    sink = StartedCellSink.start(config, context);
    turns = new Turns(config.turn(), context, sink::topicOf);
  }

  @Override
  public void open(Collection<TopicPartition> partitions) {
    sink.core().open(partitions);
    turns.opened();
    // The commit tells where the group stands, also of partitions whose records don't come.
    context.requestCommit();
  }

  @Override
  public void close(Collection<TopicPartition> partitions) {
    commits.forget(partitions);
    if (sink != null) {
      sink.core().close(partitions);
    }
  }

  @Override
  public void put(Collection<SinkRecord> records) {
    context.timeout(IDLE_CALL);
    guard.check();
    sink.checkHousekeeping();
    sink.checkServers();
    var polls = sink.core().put(records, context::offset);
    if (polls.isEmpty()) {
      context.timeout(Gathering.LONGEST);
    } else {
      keepPace(polls);
    }
  }

  /** Sees to turns and commits; what a poll failed with comes again in the same turn. */
  private void keepPace(List<Collection<SinkRecord>> polls) {
    int cells = 0;
    int mesh = 0;
    for (var records : polls) {
      for (var record : records) {
        if (sink.topicOf(record) == IngestTopic.MESH) {
          mesh++;
          commits.wrote(Original.partitionOf(record));
        } else {
          cells++;
        }
      }
    }
    turns.next(cells, mesh);
    lookAfterCommits();
    if (commits.isDue(sink.core().isBehind(), System.nanoTime())) {
      context.requestCommit();
    }
  }

  private void lookAfterCommits() {
    sink.committed().answer().ifPresent(offsets -> sink.told(commits.found(offsets)));
    sink.committed().ask(commits.toLookAt(System.nanoTime()));
  }

  /** Names what is secured; what that fails with the next {@link #put} throws. */
  @Override
  public Map<TopicPartition, OffsetAndMetadata> preCommit(
      Map<TopicPartition, OffsetAndMetadata> seen) {
    return guard.offsets(() -> secured(seen));
  }

  private Map<TopicPartition, OffsetAndMetadata> secured(
      Map<TopicPartition, OffsetAndMetadata> seen) {
    var secured = sink.core().secured(seen);
    var offsets = new HashMap<TopicPartition, Long>();
    secured.forEach((at, offset) -> offsets.put(at, offset.offset()));
    commits.committing(offsets, System.nanoTime());
    return secured;
  }

  @Override
  public void stop() {
    if (sink != null) {
      sink.close();
    }
  }
}
