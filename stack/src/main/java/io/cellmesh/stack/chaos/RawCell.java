package io.cellmesh.stack.chaos;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A record's cell as any JSON parser reads it; nothing of the product's own readers takes part.
 *
 * @param key row, column and ref_key in one text
 * @param digest of the body: equal for bodies that are equal as JSON, names unordered and numbers
 *     by value
 * @param origin where it was first written; empty if the record does not say
 * @param originId its added_id there; 0 if the record does not say
 * @param addedId its place in the log; 0 in other topics
 */
record RawCell(String key, long digest, Optional<String> origin, long originId, long addedId) {
  /**
   * As long as a number may be in a cell, and longer: what is too long is for the product to say.
   */
  private static final StreamReadConstraints LONG_NUMBERS =
      StreamReadConstraints.builder().maxNumberLength(Integer.MAX_VALUE).build();

  private static final ObjectMapper JSON =
      new ObjectMapper(JsonFactory.builder().streamReadConstraints(LONG_NUMBERS).build())
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** Empty if the value has no cell's fields. */
  static Optional<RawCell> parse(byte[] value) {
    if (value == null) {
      return Optional.empty();
    }
    try {
      var node = JSON.readTree(value);
      var row = node.path("row_key");
      var column = node.path("column_name");
      var ref = node.path("ref_key");
      if (!row.isTextual() || !column.isTextual() || !ref.canConvertToLong() || !node.has("body")) {
        return Optional.empty();
      }
      var origin = Optional.ofNullable(node.path("origin").textValue());
      return Optional.of(
          new RawCell(
              key(row.textValue(), column.textValue(), ref.longValue()),
              hash(node.get("body")),
              origin,
              node.path("origin_id").asLong(),
              node.path("added_id").asLong()));
    } catch (IOException | NumberFormatException e) {
      // Also JSON with a number that this parser can't hold: such a record is to be told.
      return Optional.empty();
    }
  }

  static String key(String row, String column, long ref) {
    return row + "/" + column + "/" + ref;
  }

  /** The row of a {@link #key}. */
  static String rowOf(String key) {
    return key.substring(0, key.indexOf('/'));
  }

  private static long hash(JsonNode body) {
    var text = new StringBuilder();
    canonical(body, text);
    long hash = FNV_OFFSET;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return hash;
  }

  private static void canonical(JsonNode node, StringBuilder out) {
    if (node.isObject()) {
      var names = new TreeSet<String>();
      node.fieldNames().forEachRemaining(names::add);
      out.append('{');
      for (var name : names) {
        out.append('"').append(name).append("\":");
        canonical(node.get(name), out);
      }
      out.append('}');
    } else if (node.isArray()) {
      out.append('[');
      node.forEach(
          element -> {
            canonical(element, out);
            out.append(',');
          });
      out.append(']');
    } else if (node.isNumber()) {
      number(node.decimalValue(), out);
    } else {
      out.append(node);
    }
  }

  /** Digits and exponent; {@code stripTrailingZeros} fails where the exponent leaves an int. */
  private static void number(BigDecimal number, StringBuilder out) {
    var digits = number.unscaledValue().toString();
    int end = digits.length();
    while (end > 1 && digits.charAt(end - 1) == '0') {
      end--;
    }
    long exponent = number.signum() == 0 ? 0 : (long) digits.length() - end - number.scale();
    out.append(digits, 0, end).append('E').append(exponent);
  }
}
