package io.cellmesh.terminal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cellmesh.cell.Body;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeJson;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Printable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Cells as a person or a machine reads them. */
public final class CellText {
  private static final ObjectMapper EXACT =
      JsonMapper.builder(EnvelopeJson.factory().build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final Console console;

  public CellText(Console console) {
    this.console = console;
  }

  /** The envelope of the log, one line a cell. */
  public static String json(LogRecord cell) {
    return Printable.of(new String(Envelope.write(cell), StandardCharsets.UTF_8));
  }

  /** A body over several lines. */
  public static String pretty(Body body) {
    return tree(body).toPrettyString();
  }

  /** A body with its numbers as they are. */
  public static JsonNode tree(Body body) {
    try {
      return EXACT.readTree(body.toJson());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One line with the place and as much of the body as fits. */
  public String line(LogRecord cell) {
    var key = cell.cell().key();
    var origin = cell.cell().origin().orElseThrow();
    var place = "shard %02d #%d".formatted(cell.shard(), cell.addedId());
    var from = origin.datacenter() + "/" + origin.id();
    var name = Printable.of(key.columnName()) + "." + key.refKey();
    var head = "  %-14s %-9s %s %-18s ".formatted(place, from, key.rowKey(), name);
    int room = console.interactive() ? console.columns() - head.length() - 1 : Integer.MAX_VALUE;
    return head
        + console.style(Style.DIM, shorten(Printable.of(cell.cell().body().toJson()), room));
  }

  /** Everything about one cell. */
  public List<String> lines(LogRecord cell) {
    var key = cell.cell().key();
    var origin = cell.cell().origin().orElseThrow();
    var lines = new ArrayList<String>();
    lines.add(console.style(Style.BOLD, Printable.of(key.columnName()) + "." + key.refKey()));
    lines.add(
        console.style(
            Style.DIM,
            "  shard %d, added_id %d, first written in %s as %d, visible since %s"
                .formatted(
                    cell.shard(),
                    cell.addedId(),
                    origin.datacenter(),
                    origin.id(),
                    Envelope.timestamp(cell.createdAt()))));
    pretty(cell.cell().body()).lines().forEach(line -> lines.add("  " + line));
    return lines;
  }

  /** A text that is cut, with a mark, where it is longer than so many characters. */
  public static String shorten(String text, int room) {
    if (room < 8) {
      return "";
    }
    return text.codePointCount(0, text.length()) <= room
        ? text
        : text.substring(0, text.offsetByCodePoints(0, room - 1)) + "…";
  }
}
