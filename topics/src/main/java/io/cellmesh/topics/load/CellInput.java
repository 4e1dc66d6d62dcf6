package io.cellmesh.topics.load;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/** A cell as someone typed it, held to the rules that the sink would hold it to. */
public final class CellInput {
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  private CellInput() {}

  /**
   * @throws InvalidCellException naming the field and the rule, as {@code trips.rejected} would
   */
  public static Cell parse(String rowKey, String columnName, String refKey, String json)
      throws InvalidCellException {
    var ref = NUMBER.matcher(refKey).matches() ? refKey : quote(refKey);
    var envelope =
        "{\"row_key\":%s,\"column_name\":%s,\"ref_key\":%s,\"body\":null}"
            .formatted(quote(rowKey), quote(columnName), ref);
    try (var reader = new EnvelopeReader(EnvelopeReader.DEFAULT_BODY_LIMIT)) {
      var cell = reader.readCell(utf8(rowKey), utf8(envelope));
      return new Cell(cell.key(), Body.ofJson(json), Optional.empty());
    }
  }

  /**
   * The same of a whole envelope, as a record of {@code trips.cells} has it.
   *
   * @throws InvalidCellException naming the field and the rule
   */
  public static Cell parse(String rowKey, byte[] envelope) throws InvalidCellException {
    try (var reader = new EnvelopeReader(EnvelopeReader.DEFAULT_BODY_LIMIT)) {
      return reader.readCell(utf8(rowKey), envelope);
    }
  }

  private static String quote(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
