package io.cellmesh.cell.index;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The type of an indexed field.
 *
 * <p>Every value has one canonical text: equal values have equal texts, whatever the JSON looked
 * like. The text of the shard field decides the shard, so these rules are as permanent as the
 * routing of rows.
 */
public enum FieldType {
  /** Its 36 characters, in lower case. */
  UUID("UUID"),
  /** At most {@value FieldValues#MAX_STRING} characters, exact to the byte. */
  STRING("string"),
  /** A whole number of 64 bits, also when written as {@code 1.0} or {@code 1e3}. */
  INTEGER("integer"),
  /** The nearest binary double, by its shortest digits. */
  DOUBLE("double"),
  /**
   * At most {@value FieldValues#WHOLE_DIGITS} digits before the point and {@value
   * FieldValues#SCALE} after it, kept exactly; a JSON number, or a text that holds one.
   */
  DECIMAL("decimal"),
  BOOLEAN("boolean"),
  /**
   * A time in ISO 8601, taken as UTC if it has no offset; a blank may stand for the {@code T}. Kept
   * as UTC to the microsecond; what is finer is cut off, which keeps the order.
   */
  DATETIME("datetime");

  private final String yamlName;

  FieldType(String yamlName) {
    this.yamlName = yamlName;
  }

  /** The name in an index definition. */
  public String yamlName() {
    return yamlName;
  }

  /** The type of a name in an index definition; case does not matter. */
  public static Optional<FieldType> of(String name) {
    return Arrays.stream(values()).filter(t -> t.yamlName.equalsIgnoreCase(name)).findFirst();
  }

  /**
   * The canonical text of a JSON value, or null for JSON's null.
   *
   * @param field names the field in the exception
   * @throws MisfitException if the value is not of this type
   */
  public String canonical(String field, JsonNode value) throws MisfitException {
    if (value.isNull() || value.isMissingNode()) {
      return null;
    }
    return switch (this) {
      case UUID -> FieldValues.uuid(field, text(field, value));
      case STRING -> FieldValues.string(field, text(field, value));
      case INTEGER -> FieldValues.integer(field, number(field, value).decimalValue());
      case DOUBLE -> FieldValues.binary(field, number(field, value).decimalValue());
      case DECIMAL ->
          value.isTextual()
              ? FieldValues.decimal(field, FieldValues.parse(field, value.textValue()))
              : FieldValues.decimal(field, number(field, value).decimalValue());
      case BOOLEAN -> bool(field, value);
      case DATETIME -> FieldValues.datetime(field, text(field, value));
    };
  }

  /**
   * The canonical text of a value that a person or a command wrote as text.
   *
   * @param field names the field in the exception
   * @throws MisfitException if the text is no value of this type
   */
  public String parse(String field, String text) throws MisfitException {
    return switch (this) {
      case INTEGER -> FieldValues.integer(field, FieldValues.parse(field, text));
      case DOUBLE -> FieldValues.binary(field, FieldValues.parse(field, text));
      case BOOLEAN -> {
        if (!text.equals("true") && !text.equals("false")) {
          throw new MisfitException(field, "must be true or false");
        }
        yield text;
      }
      default -> canonical(field, TextNode.valueOf(text));
    };
  }

  /** Writes a canonical text as the JSON value that it stands for; null becomes JSON's null. */
  public void write(String canonical, JsonGenerator out) throws IOException {
    if (canonical == null) {
      out.writeNull();
      return;
    }
    switch (this) {
      case INTEGER, DOUBLE, DECIMAL -> out.writeNumber(canonical);
      case BOOLEAN -> out.writeBoolean(Boolean.parseBoolean(canonical));
      default -> out.writeString(canonical);
    }
  }

  /** {@link #write} into a text. */
  void append(String canonical, StringBuilder json) {
    switch (this) {
      case INTEGER, DOUBLE, DECIMAL, BOOLEAN -> json.append(canonical);
      default -> {
        if (canonical == null) {
          json.append((String) null);
        } else {
          json.append('"');
          JsonStringEncoder.getInstance().quoteAsString(canonical, json);
          json.append('"');
        }
      }
    }
  }

  private static String text(String field, JsonNode value) throws MisfitException {
    if (!value.isTextual()) {
      throw new MisfitException(field, "must be a text, not " + kind(value));
    }
    return value.textValue();
  }

  private static JsonNode number(String field, JsonNode value) throws MisfitException {
    if (!value.isNumber()) {
      throw new MisfitException(field, "must be a number, not " + kind(value));
    }
    return value;
  }

  private static String bool(String field, JsonNode value) throws MisfitException {
    if (!value.isBoolean()) {
      throw new MisfitException(field, "must be true or false, not " + kind(value));
    }
    return value.asText();
  }

  static String kind(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> "an object";
      case ARRAY -> "an array";
      case STRING -> "a text";
      case NUMBER -> "a number";
      case BOOLEAN -> "a boolean";
      default -> "null";
    };
  }
}
