package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** How this module reads and writes JSON: strictly, and without showing content in messages. */
final class Json {
  /** Longest number, in characters; Jackson's own default. */
  static final int MAX_NUMBER = 1000;

  /**
   * Names aren't interned, and none is refused for its hash: they are data. Doubles are written by
   * their shortest digits whatever the JDK, since JDK 17's own are sometimes longer and would
   * change the value.
   */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(BodyReader.MAX_DEPTH + 8)
                  .maxNumberLength(MAX_NUMBER)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private Json() {}

  /**
   * A parser over UTF-8. Jackson would guess UTF-16 and UTF-32 from zero bytes and let encoded
   * surrogates pass, so the bytes are looked at first.
   */
  static JsonParser parser(byte[] json) throws IOException, InvalidCellException {
    boolean ascii = true;
    for (byte b : json) {
      if (b == 0) {
        throw InvalidCellException.of("record", "not JSON: it has a zero byte");
      }
      ascii &= b > 0;
    }
    if (!ascii) {
      try {
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json));
      } catch (CharacterCodingException e) {
        throw InvalidCellException.of("record", "not JSON: it is not valid UTF-8");
      }
    }
    return FACTORY.createParser(json);
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Turns Jackson's complaint into ours; Jackson's own quotes the content, ours only the place. */
  static InvalidCellException invalid(String field, IOException e, JsonParser parser) {
    var at = parser == null ? null : parser.currentLocation();
    var place = at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
    if (e instanceof StreamConstraintsException) {
      return InvalidCellException.of(
          field,
          "nested over "
              + BodyReader.MAX_DEPTH
              + " deep, or a number over "
              + MAX_NUMBER
              + " characters"
              + place);
    }
    var message = String.valueOf(e.getMessage());
    if (message.startsWith("Duplicate field") || message.startsWith("Duplicate Object property")) {
      return InvalidCellException.of(field, "a name is repeated in one object" + place);
    }
    if (message.contains("surrogate")) {
      return InvalidCellException.of(field, "a text has a lone surrogate" + place);
    }
    return InvalidCellException.of("record", "not JSON" + place);
  }
}
