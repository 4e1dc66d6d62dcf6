package io.cellmesh.cell.index;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What an index needs of a record of the log. Reading it is lenient about the rest, which whoever
 * wrote the log has checked, and costs little when no index looks at the column.
 */
public record LogCell(UUID rowKey, String columnName, long refKey, JsonNode body) {

  /**
   * Reads a record's value.
   *
   * @param columns the columns that are of interest
   * @return empty if the cell is of another column
   * @throws MisfitException if the bytes are no cell
   */
  public static Optional<LogCell> read(byte[] value, Set<String> columns) throws MisfitException {
    if (value == null) {
      throw new MisfitException("record", "its value is null");
    }
    try (var parser = ExactJson.FACTORY.createParser(value)) {
      parser.setCodec(ExactJson.MAPPER);
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new MisfitException("record", "not a JSON object");
      }
      return read(parser, columns);
    } catch (IOException e) {
      throw new MisfitException("record", "not JSON");
    }
  }

  private static Optional<LogCell> read(JsonParser parser, Set<String> columns)
      throws IOException, MisfitException {
    String rowKey = null;
    String columnName = null;
    Long refKey = null;
    JsonNode body = null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.currentName();
      parser.nextToken();
      switch (name) {
        case "row_key" -> rowKey = parser.getText();
        case "column_name" -> {
          columnName = parser.getText();
          if (!columns.contains(columnName)) {
            return Optional.empty();
          }
        }
        case "ref_key" -> refKey = parser.getLongValue();
        case "body" -> body = parser.readValueAsTree();
        default -> parser.skipChildren();
      }
    }
    if (rowKey == null || columnName == null || refKey == null || body == null) {
      throw new MisfitException("record", "row_key, column_name, ref_key or body is missing");
    }
    var canonical = FieldValues.uuid("row_key", rowKey);
    return Optional.of(new LogCell(UUID.fromString(canonical), columnName, refKey, body));
  }
}
