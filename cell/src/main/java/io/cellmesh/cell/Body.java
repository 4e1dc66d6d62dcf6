package io.cellmesh.cell;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/**
 * A cell's JSON value in its stored form: a version byte, then MessagePack compressed with zlib.
 *
 * <p>Numbers keep their exact value, names keep their order. Two bodies are the same when they are
 * equal as JSON: names unordered, numbers by value.
 */
public final class Body {
  /** The only stored form so far. */
  static final byte VERSION = 1;

  /**
   * Most bytes that a stored body may inflate to. JSON as the log carries it needs at most nine
   * bytes of MessagePack for four of its own (a short decimal), so this leaves room for all that
   * {@link BodyLimits#ACCEPTED} lets in.
   */
  static final int MAX_INFLATED = 8 << 20;

  private final byte[] stored;

  private Body(byte[] stored) {
    this.stored = stored;
  }

  /**
   * Takes a body as MySQL holds it; the array is not copied. It is looked into only when it is
   * read: {@link #toJson} and {@link #sameAs} throw {@link IllegalStateException} if it is damaged.
   */
  public static Body ofStored(byte[] stored) {
    return new Body(Objects.requireNonNull(stored, "stored"));
  }

  /**
   * Parses a JSON value within the limits for producers.
   *
   * @throws InvalidCellException if it is no JSON or breaks a rule for bodies
   */
  public static Body ofJson(String json) throws InvalidCellException {
    try (var reader = new BodyReader(BodyLimits.ofProducers(BodyReader.DEFAULT_LIMIT))) {
      return reader.read(json);
    }
  }

  /** The stored form; not a copy, so not to be changed. */
  public byte[] stored() {
    return stored;
  }

  /** Writes the JSON value, without white space. */
  void writeTo(Inflation inflation, JsonBuffer out) {
    requireVersion();
    int length = inflation.inflate(stored, 1, MAX_INFLATED);
    BodyWriter.write(inflation.array(), length, out);
  }

  /** Writes the text that all bodies have that are the same, and no other. */
  void writeCanonical(Inflation inflation, JsonBuffer out) {
    requireVersion();
    int length = inflation.inflate(stored, 1, MAX_INFLATED);
    CanonicalJson.write(inflation.array(), length, out);
  }

  /** The JSON text, without white space. */
  public String toJson() {
    try (var writer = new EnvelopeWriter()) {
      return new String(writer.write(this), StandardCharsets.UTF_8);
    }
  }

  /** Whether both are equal as JSON. */
  public boolean sameAs(Body other) {
    if (Arrays.equals(stored, other.stored)) {
      return true;
    }
    var one = inflate();
    var two = other.inflate();
    // The same value may have been compressed in another way.
    return Arrays.equals(one, two) || Arrays.equals(canonical(one), canonical(two));
  }

  /** SHA-256 of the canonical JSON, in hex: equal for bodies that are the same. */
  public String digest() {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(canonical(inflate())));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The size in bytes of the stored form; the value itself stays out of logs. */
  @Override
  public String toString() {
    return "Body[" + stored.length + " bytes stored]";
  }

  private static byte[] canonical(byte[] msgpack) {
    var json = new JsonBuffer();
    CanonicalJson.write(msgpack, msgpack.length, json);
    return json.toBytes();
  }

  private byte[] inflate() {
    requireVersion();
    return Inflation.once(stored, 1, MAX_INFLATED);
  }

  private void requireVersion() {
    if (stored.length < 2 || stored[0] != VERSION) {
      throw new IllegalStateException("not a stored body of version " + VERSION);
    }
  }
}
