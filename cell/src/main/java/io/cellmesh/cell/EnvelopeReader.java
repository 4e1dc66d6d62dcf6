package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * Reads cell envelopes, holding them to every rule of the contract. It holds native memory until it
 * is closed and serves one thread.
 */
public final class EnvelopeReader implements AutoCloseable {
  /** Default limit of a body, in bytes of JSON. */
  public static final int DEFAULT_BODY_LIMIT = BodyReader.DEFAULT_LIMIT;

  /** The largest limit of a body that can be asked for, in bytes of JSON. */
  public static final int MAX_BODY_LIMIT = BodyLimits.LARGEST;

  /** The largest body, in bytes of JSON, that can come from a peer, whatever the limit here. */
  public static final int MAX_PEER_BODY = BodyLimits.ACCEPTED.bytes();

  private final BodyReader own;
  private final BodyReader accepted;
  private final NameSet names = new NameSet();

  private EnvelopeReader(BodyReader own, BodyReader accepted) {
    this.own = own;
    this.accepted = accepted;
  }

  /**
   * @param bodyLimit most bytes of JSON, as the log will carry it, that a producer's body may have,
   *     at most {@link #MAX_BODY_LIMIT}
   */
  public EnvelopeReader(int bodyLimit) {
    this(new BodyReader(BodyLimits.ofProducers(bodyLimit)), new BodyReader(BodyLimits.ACCEPTED));
    if (bodyLimit > MAX_BODY_LIMIT) {
      throw new IllegalArgumentException(
          "body limit: " + bodyLimit + " is not in 1.." + MAX_BODY_LIMIT);
    }
  }

  /** Reads whatever a sink may have taken at any time, under any limit. */
  public static EnvelopeReader lenient() {
    return new EnvelopeReader(
        new BodyReader(BodyLimits.ACCEPTED), new BodyReader(BodyLimits.ACCEPTED));
  }

  /** Reads the same for whoever drops each body after a look at it: none is compressed for that. */
  public static EnvelopeReader passing() {
    return new EnvelopeReader(
        new BodyReader(BodyLimits.ACCEPTED, Compressor.ofPassing()),
        new BodyReader(BodyLimits.ACCEPTED, Compressor.ofPassing()));
  }

  /** Reads a record of {@code trips.cells}: a producer's own, so without an origin. */
  public Cell readCell(byte[] key, byte[] value) throws InvalidCellException {
    var fields = read(key, value, own);
    fields.refuse("origin", fields.origin, "belongs only into the mesh topic");
    fields.refuse("origin_id", fields.originId, "belongs only into the mesh topic");
    fields.refusePlace();
    return fields.cell(Optional.empty());
  }

  /**
   * Reads a record of {@code trips.mesh}: it must say where it was first written. Its body is not
   * held to the limit again, which is that of its own data centre.
   */
  public Cell readMeshCell(byte[] key, byte[] value) throws InvalidCellException {
    var fields = read(key, value, accepted);
    fields.refusePlace();
    return fields.cell(Optional.of(fields.requiredOrigin()));
  }

  /** Reads a record of {@code trips.log}: a cell with its origin and its place. */
  public LogRecord readLog(byte[] key, byte[] value) throws InvalidCellException {
    var fields = read(key, value, accepted);
    var cell = fields.cell(Optional.of(fields.requiredOrigin()));
    int shard = fields.requiredShard();
    long addedId = EnvelopeFields.required("added_id", fields.addedId);
    var createdAt = EnvelopeFields.required("created_at", fields.createdAt);
    return new LogRecord(cell, shard, addedId, createdAt);
  }

  @Override
  public void close() {
    own.close();
    accepted.close();
  }

  private EnvelopeFields read(byte[] key, byte[] value, BodyReader bodies)
      throws InvalidCellException {
    if (value == null) {
      throw InvalidCellException.of("record", "its value is null; a cell is never deleted");
    }
    var fields = read(value, bodies);
    fields.checkKey(key);
    return fields;
  }

  /**
   * What breaks a rule is read a second time, by the parser that knows the place, and so is what
   * was made to be slow to read.
   */
  private EnvelopeFields read(byte[] value, BodyReader bodies) throws InvalidCellException {
    try {
      return read(value, bodies, Json.FACTORY);
    } catch (InvalidCellException e) {
      return read(value, bodies, Json.STRICT);
    }
  }

  private EnvelopeFields read(byte[] value, BodyReader bodies, JsonFactory factory)
      throws InvalidCellException {
    JsonParser parser = null;
    var fields = new EnvelopeFields();
    String field = "record";
    names.clear();
    try {
      parser = Json.parser(value, factory);
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw InvalidCellException.of("record", "not a JSON object");
      }
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        field = parser.currentName();
        if (!names.add(field)) {
          throw InvalidCellException.of(field, Json.REPEATED);
        }
        parser.nextToken();
        field(fields, field, parser, bodies);
      }
      field = "record";
      if (parser.nextToken() != null) {
        throw InvalidCellException.of("record", "something follows the JSON object");
      }
    } catch (IOException e) {
      throw Json.invalid(field, e, parser);
    } catch (IndexOutOfBoundsException e) {
      throw Json.overflown(field);
    }
    return fields;
  }

  private static void field(
      EnvelopeFields fields, String name, JsonParser parser, BodyReader bodies)
      throws IOException, InvalidCellException {
    switch (name) {
      case "v" -> version(parser);
      case "row_key" -> fields.rowKey(text(name, parser));
      case "column_name" -> fields.columnName = CellKey.checkColumn(text(name, parser));
      case "ref_key" -> fields.refKey = integer(name, parser);
      case "body" -> fields.body = bodies.read(parser);
      case "origin" -> fields.origin = origin(text(name, parser));
      case "origin_id" -> fields.originId = originId(parser);
      case "shard" -> fields.shard = integer(name, parser);
      case "added_id" -> fields.addedId = integer(name, parser);
      case "created_at" -> fields.createdAt = instant(text(name, parser));
      default ->
          throw InvalidCellException.of(
              "record", name, "unknown field; known are v, row_key, column_name, ref_key, body");
    }
  }

  private static void version(JsonParser parser) throws IOException, InvalidCellException {
    if (integer("v", parser) != Envelope.VERSION) {
      throw InvalidCellException.of("v", parser.getText(), "only version 1 is known");
    }
  }

  private static String origin(String text) throws InvalidCellException {
    if (!Names.INSTANCE.matcher(text).matches()) {
      throw InvalidCellException.of("origin", text, "not 1 to 48 of a-z, 0-9 and _");
    }
    return text;
  }

  private static long originId(JsonParser parser) throws IOException, InvalidCellException {
    long id = integer("origin_id", parser);
    if (id < 0) {
      throw InvalidCellException.of("origin_id", id, "negative; it is an added_id");
    }
    return id;
  }

  private static Instant instant(String text) throws InvalidCellException {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw InvalidCellException.of("created_at", text, "not a UTC time in ISO 8601");
    }
  }

  private static String text(String field, JsonParser parser)
      throws IOException, InvalidCellException {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw InvalidCellException.of(field, "must be a string, not " + kind(parser.currentToken()));
    }
    return parser.getText();
  }

  private static long integer(String field, JsonParser parser)
      throws IOException, InvalidCellException {
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
      throw InvalidCellException.of(
          field, parser.getText(), "must be an integer, without a fraction");
    }
    if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      throw InvalidCellException.of(
          field, "must be an integer, not " + kind(parser.currentToken()));
    }
    if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw InvalidCellException.of(field, parser.getText(), "beyond a signed 64-bit integer");
    }
    return parser.getLongValue();
  }

  private static String kind(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_TRUE, VALUE_FALSE -> "a boolean";
      case VALUE_NULL -> "null";
      default -> token.name();
    };
  }
}
