package io.cellmesh.triggers.webhook;

import io.cellmesh.cell.EnvelopeWriter;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Names;
import io.cellmesh.triggers.TriggeredCell;
import java.nio.charset.StandardCharsets;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Makes the CloudEvents of an instance's cells.
 *
 * <p>An event's source is the cell's shard in this data centre, {@code /trips/dc1/42}, and its id
 * is the cell's key, {@code ROW/COLUMN/REF}, since nothing else stays the same as long as the cell
 * does: a promotion may hand an added_id out again, a rebuilt log has other offsets, and attempts
 * are counted. The shard follows from the key, and a key has one body in a data centre; in another
 * one a conflict may have been decided the other way, so the data centre is part of the source.
 *
 * @param datacenter whose log the cells are read from
 */
record CellEvents(String instance, String datacenter, Content content) {
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter();

  CellEvents {
    Names.check("instance", instance);
    Names.check("datacenter", datacenter);
    Objects.requireNonNull(content, "content");
  }

  /**
   * An event in binary mode.
   *
   * @param headers attributes by the names of their headers, with values that are visible ASCII
   * @param data JSON in UTF-8
   */
  record Event(Map<String, String> headers, byte[] data) {}

  /** The event of a cell. Two of the same cell differ in nothing but the attempt. */
  Event of(TriggeredCell cell) {
    var record = cell.record();
    var key = record.cell().key();
    var name = key.rowKey() + "/" + key.columnName() + "/" + key.refKey();
    var attributes = new LinkedHashMap<String, String>();
    attributes.put("specversion", "1.0");
    attributes.put("type", "io.cellmesh.cell.added");
    attributes.put("source", "/" + instance + "/" + datacenter + "/" + record.shard());
    attributes.put("id", name);
    attributes.put("subject", name);
    attributes.put("time", TIME.format(record.createdAt()));
    attributes.put("partitionkey", key.rowKey().toString());
    attributes.put("column", key.columnName());
    attributes.put("refkey", Long.toString(key.refKey()));
    attributes.put("shard", Integer.toString(record.shard()));
    attributes.put("addedid", Long.toString(record.addedId()));
    record.cell().origin().ifPresent(origin -> attributes.put("origin", origin.datacenter()));
    attributes.put("attempt", Integer.toString(cell.attempt()));
    var headers = new LinkedHashMap<String, String>();
    attributes.forEach((attribute, value) -> headers.put("ce-" + attribute, encoded(value)));
    headers.put("content-type", "application/json");
    return new Event(headers, data(record));
  }

  private byte[] data(LogRecord record) {
    return switch (content) {
      case BODY -> record.cell().body().toJson().getBytes(StandardCharsets.UTF_8);
      case ENVELOPE -> envelope(record);
    };
  }

  private static byte[] envelope(LogRecord record) {
    try (var writer = new EnvelopeWriter()) {
      return writer.write(record);
    }
  }

  /**
   * A value as a header carries it: the binding has spaces, double quotes, percent signs and
   * whatever is not visible ASCII percent-encoded, and nothing else.
   */
  static String encoded(String value) {
    var encoded = new StringBuilder(value.length() + 16);
    for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
      if (b > ' ' && b < 0x7f && b != '"' && b != '%') {
        encoded.append((char) b);
      } else {
        encoded.append('%').append(hex(b >> 4)).append(hex(b));
      }
    }
    return encoded.toString();
  }

  private static char hex(int nibble) {
    return "0123456789ABCDEF".charAt(nibble & 0xf);
  }
}
