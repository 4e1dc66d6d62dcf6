package io.cellmesh.cell.index;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What an index needs of a record of the log. Reading it is lenient about the rest, which whoever
 * wrote the log has checked, and costs little when no index looks at the column or the field.
 *
 * @param body an object may lack the fields that nobody looks at
 */
public record LogCell(UUID rowKey, String columnName, long refKey, JsonNode body) {

  /**
   * Reads a record's value.
   *
   * @param fields by the columns that are of interest the names that are, in their bodies
   * @return empty if the cell is of another column
   * @throws MisfitException if the bytes are no cell
   */
  public static Optional<LogCell> read(byte[] value, Map<String, Set<String>> fields)
      throws MisfitException {
    if (value == null) {
      throw new MisfitException("record", "its value is null");
    }
    try {
      return read(value, fields, ExactJson.FACTORY);
    } catch (StreamConstraintsException | IndexOutOfBoundsException e) {
      // Names that collide in Jackson's table make it give up, or, by its random seed, fail.
      try {
        return read(value, fields, ExactJson.PATIENT);
      } catch (IOException again) {
        throw new MisfitException("record", "not JSON");
      }
    } catch (IOException e) {
      throw new MisfitException("record", "not JSON");
    }
  }

  private static Optional<LogCell> read(
      byte[] value, Map<String, Set<String>> fields, JsonFactory factory)
      throws IOException, MisfitException {
    try (var parser = factory.createParser(value)) {
      parser.setCodec(ExactJson.MAPPER);
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new MisfitException("record", "not a JSON object");
      }
      return read(parser, fields);
    }
  }

  private static Optional<LogCell> read(JsonParser parser, Map<String, Set<String>> fields)
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
          if (!fields.containsKey(columnName)) {
            return Optional.empty();
          }
        }
        case "ref_key" -> refKey = parser.getLongValue();
        case "body" -> body = body(parser, columnName == null ? null : fields.get(columnName));
        default -> parser.skipChildren();
      }
    }
    if (rowKey == null || columnName == null || refKey == null || body == null) {
      throw new MisfitException("record", "row_key, column_name, ref_key or body is missing");
    }
    var canonical = FieldValues.uuid("row_key", rowKey);
    return Optional.of(new LogCell(UUID.fromString(canonical), columnName, refKey, body));
  }

  /**
   * @param names null takes all of them: the column stands behind the body
   */
  private static JsonNode body(JsonParser parser, Set<String> names) throws IOException {
    if (names == null || parser.currentToken() != JsonToken.START_OBJECT) {
      return parser.readValueAsTree();
    }
    var body = ExactJson.MAPPER.createObjectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.currentName();
      parser.nextToken();
      if (names.contains(name)) {
        body.set(name, parser.<JsonNode>readValueAsTree());
      } else {
        parser.skipChildren();
      }
    }
    return body;
  }
}
