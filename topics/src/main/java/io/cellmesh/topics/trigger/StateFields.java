package io.cellmesh.topics.trigger;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The fields of a value of the state topic: JSON with {@code "v":1}. What is needed is held to its
 * rule; fields that are not known are passed over, so that a later version may add some.
 */
final class StateFields {
  private static final int VERSION = 1;
  private static final int SHOWN = 80;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonNode node;
  private final String path;

  private StateFields(JsonNode node, String path) {
    this.node = node;
    this.path = path;
  }

  /** Begins a value. */
  static ObjectNode value() {
    return object().put("v", VERSION);
  }

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static byte[] bytes(ObjectNode value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static StateFields read(byte[] value) throws FieldException {
    JsonNode root;
    try {
      root = MAPPER.readTree(value);
    } catch (IOException e) {
      throw new FieldException("value", "not JSON");
    }
    if (root == null || !root.isObject()) {
      throw new FieldException("value", "must be a JSON object");
    }
    var fields = new StateFields(root, "");
    var version = fields.required("v");
    if (!version.isInt() || version.intValue() != VERSION) {
      throw fields.broken("v", "must be 1, which is what this version of cellmesh reads");
    }
    return fields;
  }

  String text(String name) throws FieldException {
    var field = required(name);
    if (!field.isTextual()) {
      throw broken(name, "must be a text");
    }
    return field.textValue();
  }

  /** An offset, an id or a count. */
  long number(String name) throws FieldException {
    return number(name, required(name));
  }

  boolean flag(String name) throws FieldException {
    var field = required(name);
    if (!field.isBoolean()) {
      throw broken(name, "must be true or false");
    }
    return field.booleanValue();
  }

  Instant time(String name) throws FieldException {
    var text = text(name);
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw broken(name, "must be a time such as 2026-01-31T12:00:00Z");
    }
  }

  StateFields object(String name) throws FieldException {
    var field = required(name);
    if (!field.isObject()) {
      throw broken(name, "must be an object");
    }
    return new StateFields(field, path + name + ".");
  }

  Optional<StateFields> objectIfThere(String name) throws FieldException {
    return node.hasNonNull(name) ? Optional.of(object(name)) : Optional.empty();
  }

  List<String> texts(String name) throws FieldException {
    var texts = new ArrayList<String>();
    for (var element : list(name)) {
      if (!element.isTextual()) {
        throw broken(name, "must be a list of texts");
      }
      texts.add(element.textValue());
    }
    return texts;
  }

  List<Long> numbers(String name) throws FieldException {
    var numbers = new ArrayList<Long>();
    for (var element : list(name)) {
      numbers.add(number(name, element));
    }
    return numbers;
  }

  FieldException broken(String name, String rule) {
    var text = node.get(name).toString();
    var shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    return new FieldException(path + name, shown, rule);
  }

  private long number(String name, JsonNode field) throws FieldException {
    if (!field.isIntegralNumber() || !field.canConvertToLong() || field.longValue() < 0) {
      throw broken(name, "must be a whole number that is not negative");
    }
    return field.longValue();
  }

  private JsonNode list(String name) throws FieldException {
    var field = required(name);
    if (!field.isArray()) {
      throw broken(name, "must be a list");
    }
    return field;
  }

  private JsonNode required(String name) throws FieldException {
    var field = node.get(name);
    if (field == null || field.isNull()) {
      throw new FieldException(path + name, "missing");
    }
    return field;
  }
}
