package io.cellmesh.cell;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * Writes cell envelopes ({@link Envelope}) one after the other. It holds native memory until it is
 * closed and serves one thread.
 */
public final class EnvelopeWriter implements AutoCloseable {
  private final JsonBuffer out = new JsonBuffer();
  private final Inflation inflation = new Inflation();
  private long second = Long.MIN_VALUE;
  private String untilSecond = "";

  /** The envelope for {@code trips.cells}, or for {@code trips.mesh} if the cell has an origin. */
  public byte[] write(Cell cell) {
    out.clear();
    cell(cell);
    out.ascii('}');
    return out.toBytes();
  }

  /**
   * The envelope for {@code trips.log}.
   *
   * @throws IllegalStateException if the body is damaged
   */
  public byte[] write(LogRecord log) {
    out.clear();
    cell(log.cell());
    out.ascii(",\"shard\":");
    out.number(log.shard());
    out.ascii(",\"added_id\":");
    out.number(log.addedId());
    out.ascii(",\"created_at\":\"");
    time(log.createdAt());
    out.ascii("\"}");
    return out.toBytes();
  }

  /** The JSON of a body, in UTF-8. */
  byte[] write(Body body) {
    out.clear();
    body.writeTo(inflation, out);
    return out.toBytes();
  }

  /** UTC, to the microsecond. */
  void time(Instant instant) {
    if (instant.getEpochSecond() != second) {
      second = instant.getEpochSecond();
      untilSecond = untilSecond(second);
    }
    out.ascii(untilSecond);
    int micros = instant.getNano() / 1000;
    for (int unit = 100_000; unit > 0; unit /= 10) {
      out.ascii((char) ('0' + micros / unit % 10));
    }
    out.ascii('Z');
  }

  @Override
  public void close() {
    inflation.close();
  }

  private void cell(Cell cell) {
    out.ascii("{\"v\":");
    out.number(Envelope.VERSION);
    out.ascii(",\"row_key\":\"");
    out.ascii(cell.key().rowKey().toString());
    out.ascii("\",\"column_name\":");
    out.string(cell.key().columnName());
    out.ascii(",\"ref_key\":");
    out.number(cell.key().refKey());
    out.ascii(",\"body\":");
    cell.body().writeTo(inflation, out);
    if (cell.origin().isPresent()) {
      out.ascii(",\"origin\":");
      out.string(cell.origin().get().datacenter());
      out.ascii(",\"origin_id\":");
      out.number(cell.origin().get().id());
    }
  }

  /** By hand: formatting costs more than everything else of a short cell. */
  private static String untilSecond(long second) {
    var t = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
    var text = new StringBuilder(20);
    year(text, t.getYear());
    append(text, '-', t.getMonthValue());
    append(text, '-', t.getDayOfMonth());
    append(text, 'T', t.getHour());
    append(text, ':', t.getMinute());
    append(text, ':', t.getSecond());
    return text.append('.').toString();
  }

  /** Four digits at least, as ISO 8601 has it. */
  private static void year(StringBuilder text, int year) {
    if (year < 0 || year > 9999) {
      text.append(String.format(Locale.ROOT, "%04d", year));
      return;
    }
    for (int unit = 1000; unit > 0; unit /= 10) {
      text.append((char) ('0' + year / unit % 10));
    }
  }

  private static void append(StringBuilder text, char before, int twoDigits) {
    text.append(before).append((char) ('0' + twoDigits / 10)).append((char) ('0' + twoDigits % 10));
  }
}
