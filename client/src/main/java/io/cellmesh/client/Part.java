package io.cellmesh.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cellmesh.cell.EnvelopeJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A part of an answer's JSON. Objects and arrays are cut out to the byte, so that numbers stay as
 * they were written; of a text or a number it holds the value.
 */
record Part(byte[] bytes) {
  private static final JsonFactory JSON = EnvelopeJson.factory().build();

  /** The fields of an object by their names, without those that are null. */
  record Fields(Map<String, Part> parts) {
    Optional<Part> part(String name) {
      return Optional.ofNullable(parts.get(name));
    }

    Optional<String> text(String name) {
      return part(name).map(Part::text);
    }

    String required(String name) throws WrongAnswerException {
      return text(name).orElseThrow(() -> new WrongAnswerException(name + " is missing"));
    }

    /** The elements of an array; none if there is no such field. */
    List<Part> elements(String name) throws WrongAnswerException {
      var part = part(name);
      return part.isPresent() ? part.get().elements() : List.of();
    }
  }

  /**
   * Takes an object apart.
   *
   * @throws WrongAnswerException if it is no object, or no JSON
   */
  Fields fields() throws WrongAnswerException {
    return new Fields(
        read(
            JsonToken.START_OBJECT,
            parser -> {
              var fields = new HashMap<String, Part>();
              while (parser.nextToken() != JsonToken.END_OBJECT) {
                var name = parser.currentName();
                if (parser.nextToken() != JsonToken.VALUE_NULL) {
                  fields.put(name, value(parser));
                }
              }
              return fields;
            }));
  }

  /**
   * Takes an array apart.
   *
   * @throws WrongAnswerException if it is no array, or no JSON
   */
  List<Part> elements() throws WrongAnswerException {
    return read(
        JsonToken.START_ARRAY,
        parser -> {
          var elements = new ArrayList<Part>();
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value(parser));
          }
          return elements;
        });
  }

  /**
   * Takes an object of texts apart, whose values may be null.
   *
   * @throws WrongAnswerException if it is no object, or no JSON
   */
  Map<String, String> texts() throws WrongAnswerException {
    return read(
        JsonToken.START_OBJECT,
        parser -> {
          var texts = new LinkedHashMap<String, String>();
          while (parser.nextToken() != JsonToken.END_OBJECT) {
            var name = parser.currentName();
            texts.put(
                name, parser.nextToken() == JsonToken.VALUE_NULL ? null : value(parser).text());
          }
          return texts;
        });
  }

  String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private interface Take<T> {
    T from(JsonParser parser) throws IOException;
  }

  private <T> T read(JsonToken start, Take<T> take) throws WrongAnswerException {
    try (var parser = JSON.createParser(bytes)) {
      if (parser.nextToken() != start) {
        throw new WrongAnswerException(
            "not " + (start == JsonToken.START_OBJECT ? "a JSON object" : "a JSON array"));
      }
      var taken = take.from(parser);
      if (parser.nextToken() != null) {
        throw new WrongAnswerException("something follows the JSON");
      }
      return taken;
    } catch (WrongAnswerException e) {
      throw e;
    } catch (IOException e) {
      // Jackson's own message may quote content.
      throw new WrongAnswerException("not JSON, or cut short");
    }
  }

  private Part value(JsonParser parser) throws IOException {
    if (parser.currentToken() == null) {
      throw new WrongAnswerException("cut short");
    }
    if (parser.currentToken().isScalarValue()) {
      return new Part(parser.getText().getBytes(StandardCharsets.UTF_8));
    }
    int start = (int) parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    return new Part(
        Arrays.copyOfRange(bytes, start, (int) parser.currentLocation().getByteOffset()));
  }
}
