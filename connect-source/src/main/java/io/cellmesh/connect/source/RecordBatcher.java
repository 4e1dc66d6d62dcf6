package io.cellmesh.connect.source;

import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.LogRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Batches what is handed to Connect at one time.
 *
 * <p>The cells of one partition come together, so that the producer fills one batch after the other
 * instead of sixteen at once, each too small when its linger is over. Shards keep their order,
 * which is all that the log promises; but between shards it is no longer the binlog's. So only the
 * last record carries the offset behind all of them, and the others the one before: a worker that
 * dies in between repeats them.
 */
final class RecordBatcher {
  private final LogWriter writer;
  private final long mostBytes;
  private final Queue<Cell> waiting = new ArrayDeque<>();
  private LogOffset before;

  private record Cell(LogRecord record, Optional<String> rebuilt, LogOffset behind) {}

  private record Written(Cell cell, byte[] value, int slot) {}

  /**
   * Begins with nothing.
   *
   * @param mostBytes how many bytes of values to hand out at one time, counted anew in each record
   *     of a cell; one cell more fits
   */
  RecordBatcher(LogWriter writer, long mostBytes) {
    this.writer = writer;
    this.mostBytes = mostBytes;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Cells that wait. */
  int size() {
    return waiting.size();
  }

  /**
   * Adds a cell.
   *
   * @param rebuilt as {@link Rebuild#stamp} has it; empty for a cell from a binlog
   * @param before what is in the log once all that was added earlier is
   * @param behind the same, with this cell
   */
  void add(LogRecord record, Optional<String> rebuilt, LogOffset before, LogOffset behind) {
    if (waiting.isEmpty()) {
      this.before = before;
    }
    waiting.add(new Cell(record, rebuilt, behind));
  }

  /** The next records, in the order in which to send them. */
  List<SourceRecord> take() {
    var written = new ArrayList<Written>();
    var behind = before;
    long bytes = 0;
    while (!waiting.isEmpty() && bytes < mostBytes) {
      var cell = waiting.remove();
      var value = writer.value(cell.record());
      written.add(new Written(cell, value, writer.slot(cell.record().shard())));
      bytes += (long) value.length * writer.count(cell.record());
      behind = cell.behind();
    }
    var records = inOrder(written, behind);
    before = behind;
    return records;
  }

  private List<SourceRecord> inOrder(List<Written> written, LogOffset behind) {
    var records = new ArrayList<SourceRecord>(written.size() + 1);
    if (written.isEmpty()) {
      return records;
    }
    // A stable sort.
    written.sort(Comparator.comparingInt(Written::slot));
    var early = before.stored();
    var last = written.size() - 1;
    for (int i = 0; i <= last; i++) {
      var cell = written.get(i).cell();
      writer.addTo(
          records,
          cell.record(),
          cell.rebuilt(),
          written.get(i).value(),
          early,
          i < last ? early : behind.stored());
    }
    return records;
  }
}
