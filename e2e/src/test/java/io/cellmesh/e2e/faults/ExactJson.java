package io.cellmesh.e2e.faults;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.UncheckedIOException;

/** Whether two JSON texts are the same: names unordered, numbers by their exact value. */
final class ExactJson {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private ExactJson() {}

  static boolean same(String one, String other) {
    try {
      return same(MAPPER.readTree(one), MAPPER.readTree(other));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean same(JsonNode one, JsonNode other) {
    if (one.isNumber() && other.isNumber()) {
      return one.decimalValue().compareTo(other.decimalValue()) == 0;
    }
    if (one.isContainerNode()) {
      return one.getNodeType() == other.getNodeType()
          && one.size() == other.size()
          && (one.isObject() ? sameObject(one, other) : sameArray(one, other));
    }
    return one.equals(other);
  }

  private static boolean sameObject(JsonNode one, JsonNode other) {
    return one.properties().stream()
        .allMatch(
            entry ->
                other.has(entry.getKey()) && same(entry.getValue(), other.get(entry.getKey())));
  }

  private static boolean sameArray(JsonNode one, JsonNode other) {
    for (int i = 0; i < one.size(); i++) {
      if (!same(one.get(i), other.get(i))) {
        return false;
      }
    }
    return true;
  }
}
