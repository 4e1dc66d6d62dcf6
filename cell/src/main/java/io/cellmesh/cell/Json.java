package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** How this module reads and writes JSON: strictly, and without showing content in messages. */
final class Json {
  /** The rule that an object breaks if it has a name twice. */
  static final String REPEATED = "a name is repeated in one object";

  /**
   * Doubles are written by their shortest digits whatever the JDK, since JDK 17's own are sometimes
   * longer and would change the value.
   *
   * <p>It lets names be repeated: {@link NameSet} notices them in a fraction of the time. It gives
   * up on names that were chosen to collide in its table of names, where each costs a look at all
   * the others; {@link #STRICT} keeps no such table.
   */
  static final JsonFactory FACTORY =
      EnvelopeJson.factory()
          .streamReadConstraints(EnvelopeJson.constraints(EnvelopeJson.MAX_NUMBER))
          .enable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
          .build();

  /**
   * Reads in twice the time what the other one gave up on, and stops right behind a repeated name,
   * so that a message can say where that is.
   */
  static final JsonFactory STRICT =
      FACTORY
          .rebuild()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .build();

  /** A factory keeps the names of thousands of records; those of longer ones aren't kept. */
  private static final int NAMES_KEPT = 2048;

  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Json() {}

  /**
   * A parser over UTF-8. Jackson would guess UTF-16 and UTF-32 from zero bytes and let encoded
   * surrogates pass, so the bytes are looked at first.
   */
  static JsonParser parser(byte[] json, JsonFactory factory)
      throws IOException, InvalidCellException {
    if (!isAscii(json)) {
      try {
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json));
      } catch (CharacterCodingException e) {
        throw InvalidCellException.of("record", "not JSON: it is not valid UTF-8");
      }
    }
    return (json.length > NAMES_KEPT ? factory.copy() : factory).createParser(json);
  }

  /** Whether all bytes are ASCII; refuses a zero byte. Looks at eight bytes at a time. */
  private static boolean isAscii(byte[] json) throws InvalidCellException {
    long high = 0;
    int i = 0;
    for (; i <= json.length - Long.BYTES; i += Long.BYTES) {
      long eight = (long) LONG.get(json, i);
      // Has a high bit where a byte is zero, or may have one above such a byte.
      if ((eight - 0x0101010101010101L & ~eight & HIGH_BITS) != 0) {
        throw zeroByte();
      }
      high |= eight;
    }
    for (; i < json.length; i++) {
      if (json[i] == 0) {
        throw zeroByte();
      }
      high |= json[i];
    }
    return (high & HIGH_BITS) == 0;
  }

  private static InvalidCellException zeroByte() {
    return InvalidCellException.of("record", "not JSON: it has a zero byte");
  }

  /** Whether every surrogate is half of a pair; others would not survive UTF-8. */
  static boolean isUnicode(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Names that collide in Jackson's table make it give up, or, by its random seed, end in an index
   * out of bounds. {@link #STRICT} has no such table.
   */
  static InvalidCellException overflown(String field) {
    return InvalidCellException.of(field, "its names can't be told apart in time");
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
              + EnvelopeJson.MAX_NUMBER
              + " characters"
              + place);
    }
    var message = String.valueOf(e.getMessage());
    if (message.startsWith("Duplicate field") || message.startsWith("Duplicate Object property")) {
      return InvalidCellException.of(field, REPEATED + place);
    }
    if (message.contains("surrogate")) {
      return InvalidCellException.of(field, "a text has a lone surrogate" + place);
    }
    return InvalidCellException.of("record", "not JSON" + place);
  }
}
