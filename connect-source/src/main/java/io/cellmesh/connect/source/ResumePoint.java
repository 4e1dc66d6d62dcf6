package io.cellmesh.connect.source;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.LogOffset.Place;
import io.debezium.connector.binlog.BinlogOffsetContext;
import io.debezium.connector.binlog.BinlogSourceInfo;
import io.debezium.connector.mysql.MySqlPartition;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * Where the log goes on: behind the last record that this task has handed to Connect, else at the
 * offset that Connect has stored, else at the creation of the instance.
 *
 * <p>Connect's own answer would be wrong when the Debezium task is replaced within this one: it
 * lags by up to {@code offset.flush.interval.ms}, and before the first flush there is none, which
 * Debezium takes as "begin now".
 *
 * <p>Debezium is always sent to the beginning of a transaction. The rows of it that are in the log
 * already are told by their place, not by counting: two servers may cut one transaction into
 * different events.
 */
final class ResumePoint implements OffsetStorageReader {
  private final OffsetStorageReader stored;
  private final Map<String, String> partition;
  private final Map<String, ?> found;
  private volatile LogOffset offset;
  private Place repeated;

  /**
   * @throws ConnectException if Connect has stored what can't be understood
   */
  ResumePoint(OffsetStorageReader stored, String name) {
    this.stored = stored;
    this.partition = new MySqlPartition(name, null).getSourcePartition();
    var read = stored.offset(partition);
    this.found = read == null ? Map.of() : read;
    try {
      this.offset = LogOffset.read(found).orElse(null);
    } catch (IllegalArgumentException e) {
      throw new ConnectException(
          "the stored offset of %s can't be used: %s".formatted(partition, e.getMessage()), e);
    }
  }

  /** What Connect had stored when the task began; empty if that was nothing. */
  Map<String, ?> found() {
    return found;
  }

  /** Empty before the first record of a new connector. */
  Optional<LogOffset> offset() {
    return Optional.ofNullable(offset);
  }

  /** Transactions that must not be missing on a server that is to be read. */
  Optional<GtidSet> passed() {
    return offset().flatMap(LogOffset::gtids).map(GtidSet::parse);
  }

  /** Connect's key for the offset. */
  Map<String, String> partition() {
    return partition;
  }

  /** Goes on from there. */
  void moveTo(LogOffset next) {
    offset = next;
  }

  /** A Debezium task begins: what comes first may be in the log already. */
  void begin() {
    repeated = offset.behind().orElse(null);
  }

  /**
   * Whether the row is in the log already.
   *
   * @throws ConnectException if the transaction has ended without the last row that is in the log
   */
  boolean repeats(SourceRecord record, Place place) {
    if (repeated == null) {
      return false;
    }
    requireSameTransaction(gtids(record));
    if (repeated.equals(place)) {
      repeated = null;
    }
    return true;
  }

  /** The row has been dealt with: another Debezium task begins behind it. */
  LogOffset passed(SourceRecord record, Place place) {
    return offset = LogOffset.within(gtids(record), place);
  }

  /**
   * A record that is no row says which transactions Debezium has passed completely. That is right
   * within a transaction, too, as long as none of its rows was handed out; and once one was, the
   * set is the same as the one that it was handed out with.
   *
   * @throws ConnectException as {@link #repeats}
   */
  void passedTransactions(SourceRecord record) {
    var next = record.sourceOffset();
    if (next == null || !next.containsKey(BinlogOffsetContext.GTID_SET_KEY)) {
      return;
    }
    var gtids = gtids(record);
    if (repeated != null) {
      requireSameTransaction(gtids);
    } else if (!isBegun(gtids)) {
      offset = LogOffset.after(gtids);
    }
  }

  private void requireSameTransaction(String gtids) {
    if (!isBegun(gtids)) {
      throw new ConnectException(
          "the transaction after %s does not hold added_id %d of shard %d, which is in the log"
              .formatted(
                  GtidSet.parse(offset.gtids().orElseThrow()).brief(),
                  repeated.addedId(),
                  repeated.shard()));
    }
  }

  /** Whether there is nothing new in the set; servers write one set in more than one way. */
  private boolean isBegun(String gtids) {
    var known = offset.gtids().orElseThrow();
    return gtids.equals(known) || GtidSet.parse(known).containsAll(GtidSet.parse(gtids));
  }

  @Override
  public <T> Map<String, Object> offset(Map<String, T> partition) {
    if (!partition.equals(this.partition)) {
      return stored.offset(partition);
    }
    return offset == null ? null : forDebezium(offset.gtids().orElseThrow());
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

  /** Debezium insists on a file, and looks at it only where a server has no GTIDs. */
  private static Map<String, Object> forDebezium(String gtids) {
    return new HashMap<>(
        Map.of(
            BinlogOffsetContext.GTID_SET_KEY,
            gtids,
            BinlogSourceInfo.BINLOG_FILENAME_OFFSET_KEY,
            "",
            BinlogSourceInfo.BINLOG_POSITION_OFFSET_KEY,
            0L));
  }

  private static String gtids(SourceRecord record) {
    return (String) record.sourceOffset().get(BinlogOffsetContext.GTID_SET_KEY);
  }
}
