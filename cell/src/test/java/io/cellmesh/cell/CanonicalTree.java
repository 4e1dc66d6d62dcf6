package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.TreeMap;

/**
 * Says in another way what {@link CanonicalJson} must write: from a tree, with Jackson's own
 * writer.
 */
final class CanonicalTree {
  /**
   * Of its own, because a mapper binds its factory; it keeps no names from one body to the next.
   */
  private static final JsonFactory FACTORY =
      Json.FACTORY.rebuild().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build();

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(FACTORY)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private CanonicalTree() {}

  static String of(byte[] msgpack) {
    var json = new JsonBuffer();
    BodyWriter.write(msgpack, msgpack.length, json);
    try {
      var canonical = new StringBuilder();
      append(MAPPER.readTree(json.toBytes()), canonical);
      return canonical.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void append(JsonNode node, StringBuilder out) throws IOException {
    if (node.isObject()) {
      var sorted = new TreeMap<String, JsonNode>();
      node.properties().forEach(p -> sorted.put(p.getKey(), p.getValue()));
      var separator = '{';
      for (var property : sorted.entrySet()) {
        out.append(separator).append(MAPPER.writeValueAsString(property.getKey())).append(':');
        append(property.getValue(), out);
        separator = ',';
      }
      out.append(sorted.isEmpty() ? "{}" : "}");
    } else if (node.isArray()) {
      out.append('[');
      for (var element : node) {
        append(element, out);
        out.append(',');
      }
      out.append(']');
    } else if (node.isNumber()) {
      out.append(number(node.decimalValue()));
    } else {
      out.append(MAPPER.writeValueAsString(node));
    }
  }

  /**
   * By value, without ever writing out an exponent: one of 32 bits would be gigabytes of zeros, and
   * as much beyond what arithmetic can hold as the number has zeros at its end.
   */
  private static String number(BigDecimal value) {
    if (value.signum() == 0) {
      return "0";
    }
    var digits = new BigDecimal(value.unscaledValue()).stripTrailingZeros();
    long scale = (long) value.scale() + digits.scale();
    return scale == (int) scale
        ? new BigDecimal(digits.unscaledValue(), (int) scale).toString()
        : digits.unscaledValue() + "E" + -scale;
  }
}
