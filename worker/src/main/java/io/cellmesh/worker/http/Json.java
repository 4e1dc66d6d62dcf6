package io.cellmesh.worker.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cellmesh.cell.LogRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * JSON of requests and answers. Bodies of cells go through as bytes: no number of theirs becomes
 * another on the way.
 */
final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** Of an answer: a body may be a thousand times as large when it is written out. */
  private static final int MOST_BYTES = 64 << 20;

  private Json() {}

  static byte[] bytes(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The cells, as the log carries them, in an array.
   *
   * @throws ProblemException if it would be too large
   */
  static byte[] array(List<LogRecord> cells) {
    return list(cells.stream().map(Envelopes::write));
  }

  /**
   * JSON values in an array.
   *
   * @throws ProblemException if it would be too large
   */
  static byte[] list(Stream<byte[]> items) {
    var out = new ByteArrayOutputStream();
    out.write('[');
    items.forEachOrdered(
        item -> {
          if (out.size() + item.length > MOST_BYTES) {
            throw new ProblemException(
                Problem.tooLarge(
                    "the answer has over %d bytes; ask for less at once".formatted(MOST_BYTES)));
          }
          if (out.size() > 1) {
            out.write(',');
          }
          out.writeBytes(item);
        });
    out.write(']');
    return out.toByteArray();
  }

  /** An object with one more field, whose value is JSON already. */
  static byte[] with(byte[] object, String name, byte[] value) {
    var out = new ByteArrayOutputStream();
    out.write(object, 0, object.length - 1);
    if (object.length > 2) {
      out.write(',');
    }
    out.writeBytes(bytes(name));
    out.write(':');
    out.writeBytes(value);
    out.write('}');
    return out.toByteArray();
  }

  /**
   * Reads a request.
   *
   * @throws ProblemException if it is no JSON
   */
  static JsonNode tree(byte[] json) {
    try {
      return MAPPER.readTree(text(json));
    } catch (JsonProcessingException e) {
      throw Parameters.invalid("body", "", "not JSON" + place(e));
    }
  }

  /**
   * The text of a request.
   *
   * @throws ProblemException if it is no UTF-8
   */
  static String text(byte[] utf8) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw Parameters.invalid("body", "", "not valid UTF-8");
    }
  }

  /**
   * The elements of the array that is an object's only field, each as it is written.
   *
   * @throws ProblemException if it is anything else, or there are more than {@code most}
   */
  static List<byte[]> elements(byte[] json, String field, int most) {
    text(json);
    var shape = "not an object with the one field %s, an array".formatted(field);
    try (var parser = MAPPER.getFactory().createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT
          || !field.equals(parser.nextFieldName())
          || parser.nextToken() != JsonToken.START_ARRAY) {
        throw Parameters.invalid("body", "", shape);
      }
      var elements = elements(parser, json, field, most);
      if (parser.nextToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
        throw Parameters.invalid("body", "", shape);
      }
      return elements;
    } catch (JsonProcessingException e) {
      throw Parameters.invalid("body", "", "not JSON" + place(e));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<byte[]> elements(JsonParser parser, byte[] json, String field, int most)
      throws IOException {
    var elements = new ArrayList<byte[]>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        throw Parameters.invalid("%s[%d]".formatted(field, elements.size()), "", "not an object");
      }
      if (elements.size() == most) {
        throw Parameters.invalid(field, "", "more than " + most);
      }
      int from = (int) parser.currentTokenLocation().getByteOffset();
      if (from < 0) {
        // A zero beside each letter is UTF-8, too; Jackson takes it for UTF-16 and counts no bytes.
        throw Parameters.invalid("body", "", "not JSON in UTF-8");
      }
      parser.skipChildren();
      int to = (int) parser.currentLocation().getByteOffset();
      elements.add(Arrays.copyOfRange(json, from, to));
    }
    if (elements.isEmpty()) {
      throw Parameters.invalid(field, "", "empty");
    }
    return elements;
  }

  private static String place(JsonProcessingException e) {
    var at = e.getLocation();
    return at == null ? "" : " (line %d, column %d)".formatted(at.getLineNr(), at.getColumnNr());
  }
}
