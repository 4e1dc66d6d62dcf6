package io.cellmesh.e2e.faults;

import io.cellmesh.cell.CellKey;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * A record that tries to do harm, and what must become of it.
 *
 * @param kind for messages
 * @param value null for a record without any
 */
record Poison(String kind, byte[] key, byte[] value, Fate fate) {

  /** What must become of a record. */
  sealed interface Fate {
    /** Its cell can be read back: the same name to the byte, the same JSON, its numbers exact. */
    record Stored(CellKey key, String body) implements Fate {}

    /**
     * It is in {@code trips.rejected}.
     *
     * @param reason a part of the reason
     */
    record Rejected(String reason) implements Fate {}
  }

  /** A cell whose record is well-formed, and which must be stored as it is. */
  static Poison stored(String kind, UUID row, String column, long ref, String body) {
    var key = new CellKey(row, column, ref);
    return of(kind, row, envelope(row, column, ref, body), new Fate.Stored(key, body));
  }

  /** A cell that breaks a rule. */
  static Poison rejected(
      String kind, UUID row, String column, long ref, String body, String reason) {
    return of(kind, row, envelope(row, column, ref, body), new Fate.Rejected(reason));
  }

  /** A record whose value is a text of any kind. */
  static Poison refused(String kind, UUID row, String value, String reason) {
    return of(kind, row, value, new Fate.Rejected(reason));
  }

  private static Poison of(String kind, UUID row, String value, Fate fate) {
    return new Poison(
        kind,
        row.toString().getBytes(StandardCharsets.US_ASCII),
        value == null ? null : value.getBytes(StandardCharsets.UTF_8),
        fate);
  }

  static String envelope(UUID row, String column, long ref, String body) {
    return "{\"row_key\":\"%s\",\"column_name\":%s,\"ref_key\":%d,\"body\":%s}"
        .formatted(row, quoted(column), ref, body);
  }

  /** A text in JSON: what must be escaped is, everything else stands for itself. */
  static String quoted(String text) {
    var out = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                out.append('\\').appendCodePoint(c);
              } else if (c < 0x20) {
                out.append("\\u%04x".formatted(c));
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.append('"').toString();
  }
}
