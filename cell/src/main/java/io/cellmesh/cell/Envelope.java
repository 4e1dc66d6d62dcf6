package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Writes cell envelopes: UTF-8 JSON, one shape everywhere, with fields added on the way. {@link
 * EnvelopeReader} reads them.
 */
public final class Envelope {
  static final int VERSION = 1;

  /** Headers of the log and the mesh: they repeat fields, and are never the only carrier. */
  public static final String COLUMN_HEADER = "column";

  public static final String ORIGIN_HEADER = "origin";
  public static final String SHARD_HEADER = "shard";
  public static final String ADDED_ID_HEADER = "added_id";

  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private Envelope() {}

  /** The record key of a row: its UUID in 36 lower-case ASCII characters. */
  public static byte[] key(CellKey key) {
    return Json.utf8(key.rowKey().toString());
  }

  /** The envelope for {@code trips.cells}, or for {@code trips.mesh} if the cell has an origin. */
  public static byte[] write(Cell cell) {
    return write(out -> writeCell(cell, out));
  }

  /** The envelope for {@code trips.log}. */
  public static byte[] write(LogRecord log) {
    return write(
        out -> {
          writeCell(log.cell(), out);
          out.writeNumberField("shard", log.shard());
          out.writeNumberField("added_id", log.addedId());
          out.writeStringField("created_at", timestamp(log.createdAt()));
        });
  }

  /** A time as the envelope carries it: UTC, to the microsecond. */
  public static String timestamp(Instant instant) {
    return MICROSECONDS.format(instant);
  }

  private static void writeCell(Cell cell, JsonGenerator out) throws IOException {
    out.writeNumberField("v", VERSION);
    out.writeStringField("row_key", cell.key().rowKey().toString());
    out.writeStringField("column_name", cell.key().columnName());
    out.writeNumberField("ref_key", cell.key().refKey());
    out.writeFieldName("body");
    cell.body().writeTo(out);
    if (cell.origin().isPresent()) {
      out.writeStringField("origin", cell.origin().get().datacenter());
      out.writeNumberField("origin_id", cell.origin().get().id());
    }
  }

  private static byte[] write(Content content) {
    var bytes = new ByteArrayOutputStream(512);
    try (var out = Json.FACTORY.createGenerator(bytes)) {
      out.writeStartObject();
      content.writeTo(out);
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @FunctionalInterface
  private interface Content {
    void writeTo(JsonGenerator out) throws IOException;
  }
}
