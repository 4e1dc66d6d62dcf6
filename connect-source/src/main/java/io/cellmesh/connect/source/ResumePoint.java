package io.cellmesh.connect.source;

import io.debezium.connector.binlog.BinlogOffsetContext;
import io.debezium.connector.binlog.BinlogSourceInfo;
import io.debezium.connector.mysql.MySqlPartition;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * Where a Debezium task begins: behind the last record that this task has handed to Connect, else
 * at the offset that Connect has stored, else at the creation of the instance.
 *
 * <p>Connect's own answer would be wrong when the Debezium task is replaced within this one: it
 * lags by up to {@code offset.flush.interval.ms}, and before the first flush there is none, which
 * Debezium takes as "begin now".
 */
final class ResumePoint implements OffsetStorageReader {
  private final OffsetStorageReader stored;
  private final Map<String, String> partition;
  private volatile Map<String, ?> offset;

  ResumePoint(OffsetStorageReader stored, String name) {
    this.stored = stored;
    this.partition = new MySqlPartition(name, null).getSourcePartition();
    this.offset = stored.offset(partition);
  }

  /** False before the first record of a new connector. */
  boolean isKnown() {
    return offset != null;
  }

  /** Begins with the first transaction that is not in the given set. */
  void beginAfter(String gtids) {
    // Debezium insists on a file, and looks at it only where a server has no GTIDs.
    offset =
        Map.of(
            BinlogOffsetContext.GTID_SET_KEY,
            gtids,
            BinlogSourceInfo.BINLOG_FILENAME_OFFSET_KEY,
            "",
            BinlogSourceInfo.BINLOG_POSITION_OFFSET_KEY,
            0L);
  }

  /** The record has been dealt with: another Debezium task begins behind it. */
  void passed(SourceRecord record) {
    offset = record.sourceOffset();
  }

  /**
   * As {@link #passed}, for a record that is no row. Within a transaction its offset does not count
   * the rows before it, so there it is left aside.
   */
  void passedBetweenTransactions(SourceRecord record) {
    var next = record.sourceOffset();
    if (next != null
        && !next.containsKey(BinlogOffsetContext.EVENTS_TO_SKIP_OFFSET_KEY)
        && !next.containsKey(BinlogSourceInfo.BINLOG_ROW_IN_EVENT_OFFSET_KEY)) {
      passed(record);
    }
  }

  @Override
  public <T> Map<String, Object> offset(Map<String, T> partition) {
    if (!partition.equals(this.partition)) {
      return stored.offset(partition);
    }
    return offset == null ? null : new HashMap<>(offset);
  }

  @Override
  public <T> Map<Map<String, T>, Map<String, Object>> offsets(
      Collection<Map<String, T>> partitions) {
    var offsets = new HashMap<Map<String, T>, Map<String, Object>>();
    for (var each : partitions) {
      var found = offset(each);
      if (found != null) {
        offsets.put(each, found);
      }
    }
    return offsets;
  }
}
