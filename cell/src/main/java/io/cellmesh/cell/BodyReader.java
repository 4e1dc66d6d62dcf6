package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.NumberInput;
import com.fasterxml.jackson.core.io.NumberOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Turns a JSON value into a {@link Body} in one pass. It holds native memory until it is closed and
 * serves one thread.
 */
final class BodyReader implements AutoCloseable {
  /** Deepest nesting of objects and arrays in a body. */
  static final int MAX_DEPTH = 100;

  /** Default limit of a body, in bytes of JSON. */
  static final int DEFAULT_LIMIT = 1 << 20;

  /**
   * JSON is written at most so many times as long as it was read: {@code 1e6} as {@code 1000000.0}.
   */
  private static final int MOST_GROWTH = 3;

  private static final int MOST_EXPONENT_DIGITS = 10;

  private final BodyLimits limits;
  private final JsonBuffer written = new JsonBuffer();
  private final MsgpackBuffer msgpack = new MsgpackBuffer();
  private final Compressor compressor;
  private final List<NameSet> names = new ArrayList<>();

  BodyReader(BodyLimits limits) {
    this(limits, Compressor.ofStored());
  }

  /**
   * @param compressor closed with this reader
   */
  BodyReader(BodyLimits limits, Compressor compressor) {
    this.limits = limits;
    this.compressor = compressor;
  }

  Body read(String json) throws InvalidCellException {
    var utf8 = Json.utf8(json);
    try {
      return read(utf8, Json.FACTORY);
    } catch (InvalidCellException e) {
      return read(utf8, Json.STRICT);
    }
  }

  private Body read(byte[] json, JsonFactory factory) throws InvalidCellException {
    JsonParser parser = null;
    try {
      parser = Json.parser(json, factory);
      if (parser.nextToken() == null) {
        throw InvalidCellException.of("body", "empty");
      }
      var body = read(parser);
      if (parser.nextToken() != null) {
        throw InvalidCellException.of("body", "more than one JSON value");
      }
      return body;
    } catch (IOException e) {
      throw Json.invalid("body", e, parser);
    } catch (IndexOutOfBoundsException e) {
      throw Json.overflown("body");
    }
  }

  /** Reads the value whose first token the parser stands on, and stops on its last. */
  Body read(JsonParser parser) throws IOException, InvalidCellException {
    // One byte of an object, an array or a string is read by now.
    long start = parser.currentLocation().getByteOffset() - 1;
    boolean placed =
        start >= 0
            && (parser.currentToken() == JsonToken.VALUE_STRING
                || !parser.currentToken().isScalarValue());
    try {
      value(parser, 0);
      long length = parser.currentLocation().getByteOffset() - start;
      if (!placed || length * MOST_GROWTH > limits.bytes()) {
        checkWritten();
      }
      return Body.ofStored(compressor.stored(msgpack));
    } finally {
      msgpack.clear();
      written.clear();
      names.forEach(NameSet::clear);
    }
  }

  /** Most bodies are too short for this to be needed, whatever they look like when written. */
  private void checkWritten() throws InvalidCellException {
    BodyWriter.write(msgpack.array(), msgpack.length(), written);
    if (written.length() > limits.bytes()) {
      throw InvalidCellException.of(
          "body",
          "%d bytes of JSON are over the limit of %d".formatted(written.length(), limits.bytes()));
    }
  }

  @Override
  public void close() {
    compressor.close();
  }

  private void value(JsonParser parser, int depth) throws IOException, InvalidCellException {
    switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, deeper(depth));
      case START_ARRAY -> array(parser, deeper(depth));
      case VALUE_STRING -> text(parser);
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> decimal(parser);
      case VALUE_TRUE -> msgpack.bool(true);
      case VALUE_FALSE -> msgpack.bool(false);
      case VALUE_NULL -> msgpack.nil();
      default -> throw InvalidCellException.of("body", "not a JSON value");
    }
  }

  private static int deeper(int depth) throws InvalidCellException {
    if (depth == MAX_DEPTH) {
      throw InvalidCellException.of("body", "nested over " + MAX_DEPTH + " deep");
    }
    return depth + 1;
  }

  private void object(JsonParser parser, int depth) throws IOException, InvalidCellException {
    var seen = names(depth);
    int start = msgpack.begin();
    int count = 0;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.currentName();
      if (!seen.add(name)) {
        throw InvalidCellException.of("body", Json.REPEATED);
      }
      msgpack.string(unicode(name));
      parser.nextToken();
      value(parser, depth);
      count++;
    }
    msgpack.endMap(start, count);
    seen.clear();
  }

  /** One set a level: an object within an object has names of its own. */
  private NameSet names(int depth) {
    while (names.size() < depth) {
      names.add(new NameSet());
    }
    return names.get(depth - 1);
  }

  private void text(JsonParser parser) throws IOException, InvalidCellException {
    var chars = parser.getTextCharacters();
    int offset = parser.getTextOffset();
    int length = parser.getTextLength();
    if (!msgpack.ascii(chars, offset, length)) {
      msgpack.string(unicode(new String(chars, offset, length)));
    }
  }

  private void array(JsonParser parser, int depth) throws IOException, InvalidCellException {
    int start = msgpack.begin();
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      value(parser, depth);
      count++;
    }
    msgpack.endArray(start, count);
  }

  private void integer(JsonParser parser) throws IOException, InvalidCellException {
    switch (parser.getNumberType()) {
      case INT, LONG -> {
        // JSON's -0 is the number 0.
        msgpack.integer(parser.getLongValue());
      }
      default -> exact(parser.getText());
    }
  }

  /**
   * A decimal of at most 15 significant digits survives the way through a double and back by its
   * shortest digits (IEEE 754); a longer one is tried, and kept as text if it would change.
   */
  private void decimal(JsonParser parser) throws IOException, InvalidCellException {
    int length = parser.getTextLength();
    if (length <= ShortDecimal.MAX_LENGTH) {
      double value = ShortDecimal.parse(parser.getTextCharacters(), parser.getTextOffset(), length);
      if (!Double.isNaN(value)) {
        msgpack.decimal(value);
        return;
      }
    }
    longDecimal(parser.getText());
  }

  private void longDecimal(String text) throws InvalidCellException {
    checkExponent(text);
    double value = NumberInput.parseDouble(text, false);
    if (Double.isInfinite(value) || !survives(text, value)) {
      exact(text);
    } else {
      msgpack.decimal(value);
    }
  }

  private static boolean survives(String text, double value) throws InvalidCellException {
    return parse(text).compareTo(new BigDecimal(NumberOutput.toString(value, true))) == 0;
  }

  private void exact(String text) throws InvalidCellException {
    parse(text);
    msgpack.exact(text);
  }

  /** By its digits: the number itself may be out of reach of any arithmetic. */
  private void checkExponent(String text) throws InvalidCellException {
    int at = Math.max(text.indexOf('e'), text.indexOf('E')) + 1;
    if (at == 0) {
      return;
    }
    if (text.charAt(at) == '-' || text.charAt(at) == '+') {
      at++;
    }
    while (at < text.length() - 1 && text.charAt(at) == '0') {
      at++;
    }
    if (text.length() - at > MOST_EXPONENT_DIGITS
        || Long.parseLong(text, at, text.length(), 10) > limits.exponent()) {
      throw InvalidCellException.of(
          "body",
          String.format(Locale.ROOT, "a number's exponent is not within ±%,d", limits.exponent()));
    }
  }

  private static BigDecimal parse(String text) throws InvalidCellException {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw InvalidCellException.of("body", "a number's exponent is beyond 32 bits");
    }
  }

  private static String unicode(String text) throws InvalidCellException {
    if (!Json.isUnicode(text)) {
      throw InvalidCellException.of("body", "a text has a lone surrogate");
    }
    return text;
  }
}
