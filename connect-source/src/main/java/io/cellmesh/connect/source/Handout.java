package io.cellmesh.connect.source;

import io.cellmesh.cell.LogRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * What is handed to Connect at one time.
 *
 * <p>The cells of one partition come together, so that the producer fills one batch after the other
 * instead of sixteen at once, each too small when its linger is over. Shards keep their order,
 * which is all that the log promises; but between shards it is no longer the binlog's. So only the
 * last record carries the offset behind all of them, and the others the one before: a worker that
 * dies in between repeats them.
 */
final class Handout {
  private final LogWriter writer;
  private final List<Cell> cells = new ArrayList<>();
  private LogOffset before;
  private LogOffset behind;

  private record Cell(LogRecord record, int slot) {}

  /**
   * Begins with nothing.
   *
   * @param before what is in the log already
   */
  Handout(LogWriter writer, LogOffset before) {
    this.writer = writer;
    this.before = before;
    this.behind = before;
  }

  /**
   * Adds a cell.
   *
   * @param behind the offset behind it and all that were added before
   */
  void add(LogRecord record, LogOffset behind) {
    cells.add(new Cell(record, writer.slot(record.shard())));
    this.behind = behind;
  }

  int size() {
    return cells.size();
  }

  /** The offset behind all of it. */
  LogOffset behind() {
    return behind;
  }

  /** The records, in the order in which to send them; empties this. */
  List<SourceRecord> take() {
    var records = new ArrayList<SourceRecord>(cells.size() + 1);
    // A stable sort.
    cells.sort(Comparator.comparingInt(Cell::slot));
    var early = before.stored();
    for (int i = 0; i < cells.size(); i++) {
      var offset = i < cells.size() - 1 ? early : behind.stored();
      records.add(writer.write(cells.get(i).record(), offset));
    }
    cells.clear();
    before = behind;
    return records;
  }
}
