package io.cellmesh.connect.source;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import io.debezium.connector.base.ChangeEventQueue;
import io.debezium.connector.binlog.BinlogStreamingChangeEventSource;
import io.debezium.connector.mysql.MySqlConnectorTask;
import java.lang.reflect.Field;
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
 * once.
 */
final class BinlogTask extends MySqlConnectorTask {
  private static final int MOST_AT_ONCE = 4096;

  /** 8,192 bodies of 1 MiB in Debezium's queue would not fit a worker's heap. */
  private static final long MOST_BYTES = 32 << 20;

  private static final Field QUEUE = queueField();

  private final Valve valve = new Valve(MOST_BYTES);
  private BinaryLogClient watched;

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
      watched.registerEventListener(valve);
    }
    var records = super.doPoll();
    if (records.isEmpty()) {
      valve.emptied();
      return records;
    }
    var queue = queue();
    var drained = new ArrayList<>(records);
    int left = queue.totalCapacity() - queue.remainingCapacity();
    for (; left > 0 && drained.size() < MOST_AT_ONCE; left--) {
      drained.addAll(super.doPoll());
    }
    if (left == 0) {
      valve.emptied();
    }
    return drained;
  }

  @Override
  protected void doStop() {
    valve.open();
    super.doStop();
  }

  private ChangeEventQueue<?> queue() {
    try {
      return (ChangeEventQueue<?>) QUEUE.get(this);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Debezium tells the length of its queue to nobody but its metrics. */
  private static Field queueField() {
    try {
      var field = MySqlConnectorTask.class.getDeclaredField("queue");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
