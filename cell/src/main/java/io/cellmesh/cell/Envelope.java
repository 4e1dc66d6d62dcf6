package io.cellmesh.cell;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Cell envelopes: UTF-8 JSON, one shape everywhere, with fields added on the way. {@link
 * EnvelopeWriter} writes and {@link EnvelopeReader} reads them.
 */
public final class Envelope {
  static final int VERSION = 1;

  /** Headers of the log and the mesh: they repeat fields, and are never the only carrier. */
  public static final String COLUMN_HEADER = "column";

  public static final String ORIGIN_HEADER = "origin";
  public static final String SHARD_HEADER = "shard";
  public static final String ADDED_ID_HEADER = "added_id";

  /**
   * Header of a log record that was read from an entity table, by a rebuild, and not from a binlog:
   * when the task set about it, in UTC. So the cell may stand further ahead in the log, too. No
   * other record has it, and nothing in the envelope says the same.
   */
  public static final String REBUILT_HEADER = "rebuilt";

  /**
   * Header of a mesh record that brings a data centre a cell of its own back, after a server of it
   * was restored from a backup. Only such a record may have the own origin there.
   */
  public static final String RESTORED_HEADER = "restored";

  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private Envelope() {}

  /** The record key of a row: its UUID in 36 lower-case ASCII characters. */
  public static byte[] key(CellKey key) {
    return Json.utf8(key.rowKey().toString());
  }

  /** As {@link EnvelopeWriter#write(Cell)}, for one that comes alone. */
  public static byte[] write(Cell cell) {
    try (var writer = new EnvelopeWriter()) {
      return writer.write(cell);
    }
  }

  /** As {@link EnvelopeWriter#write(LogRecord)}, for one that comes alone. */
  public static byte[] write(LogRecord log) {
    try (var writer = new EnvelopeWriter()) {
      return writer.write(log);
    }
  }

  /** A time as the envelope carries it: UTC, to the microsecond. */
  public static String timestamp(Instant instant) {
    return MICROSECONDS.format(instant);
  }
}
