package io.cellmesh.connect.sink;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.Envelope;
import io.cellmesh.connect.sink.base.DeadLetter;
import io.cellmesh.storage.RefusedRecord;
import io.cellmesh.storage.RefusedRecord.Header;
import java.util.List;

/**
 * Stands in the ledger for a record of which catch-up had only the copy of its cell: an equal
 * envelope, marked by a header, for the case that the topic no longer has the record itself.
 */
final class RebuiltRecord {
  private static final String MARK = DeadLetter.OURS + "rebuilt";
  private static final long NO_TIME = -1;

  private RebuiltRecord() {}

  static RefusedRecord of(Cell cell) {
    return new RefusedRecord(
        Envelope.key(cell.key()), Envelope.write(cell), List.of(new Header(MARK, null)), NO_TIME);
  }

  /** Says of a rejected record that it is one. */
  static org.apache.kafka.common.header.Header header() {
    return DeadLetter.ours("rebuilt", true);
  }

  /** A producer may set the header as well; then the record is fetched, or told as rebuilt. */
  static boolean is(RefusedRecord record) {
    return record.headers().stream().anyMatch(header -> header.name().equals(MARK));
  }
}
