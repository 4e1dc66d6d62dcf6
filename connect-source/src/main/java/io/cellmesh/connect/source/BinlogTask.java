package io.cellmesh.connect.source;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import io.debezium.connector.binlog.BinlogStreamingChangeEventSource;
import io.debezium.connector.mysql.MySqlConnectorTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Debezium's task as it is, with a view of the connection that it reads from, and handing out
 * whatever its queue holds.
 *
 * <p>Its queue wakes its reader only for a full batch, so the size of a batch is set to 1; taken
 * one by one, though, each record would cost Connect a round, and a transaction where it is exactly
 * once. Nor does it make a text of each event.
 */
final class BinlogTask extends MySqlConnectorTask {
  private static final int MOST_AT_ONCE = 4096;

  /** Thousands of bodies of 1 MiB in Debezium's queue would not fit a worker's heap. */
  private static final long MOST_BYTES = 32 << 20;

  private final BinlogBackpressure backpressure = new BinlogBackpressure(MOST_BYTES);
  private BinaryLogClient watched;
  private QueueDrain queue;

  /** Empty until it starts to read. */
  Optional<BinaryLogClient> client() {
    if (coordinator != null
        && coordinator.getStreamingSource().orElse(null)
            instanceof BinlogStreamingChangeEventSource<?, ?> source) {
      return Optional.of(source.getBinaryLogClient());
    }
    return Optional.empty();
  }

  @Override
  public List<SourceRecord> doPoll() throws InterruptedException {
    if (watched == null && client().isPresent()) {
      watched = client().get();
      watched.registerEventListener(backpressure);
      queue = QueueDrain.of(this);
      EventTexts.spare(coordinator);
    }
    var first = super.doPoll();
    if (first.isEmpty() || queue == null) {
      backpressure.emptied();
      return first;
    }
    var waiting = queue.take(MOST_AT_ONCE);
    if (waiting.size() < MOST_AT_ONCE) {
      backpressure.emptied();
    }
    var records = new ArrayList<SourceRecord>(first.size() + waiting.size());
    records.addAll(first);
    waiting.forEach(event -> records.add(event.getRecord()));
    return records;
  }

  @Override
  protected void doStop() {
    backpressure.open();
    super.doStop();
  }
}
