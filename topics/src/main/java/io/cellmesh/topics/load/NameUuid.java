package io.cellmesh.topics.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/** UUIDs of version 5: the same name always gives the same UUID (RFC 9562, section 5.5). */
public final class NameUuid {
  /**
   * The namespace of rows that came from CSV files; changing it would give every row another key.
   */
  static final UUID CSV_ROWS = UUID.fromString("6d1f3c1e-5a52-5f0e-9a3b-2c8d5b1f7e40");

  private NameUuid() {}

  /** The UUID of a name within a namespace. */
  public static UUID of(UUID namespace, String name) {
    try {
      var sha1 = MessageDigest.getInstance("SHA-1");
      sha1.update(
          ByteBuffer.allocate(16)
              .putLong(namespace.getMostSignificantBits())
              .putLong(namespace.getLeastSignificantBits())
              .array());
      var hash = ByteBuffer.wrap(sha1.digest(name.getBytes(StandardCharsets.UTF_8)));
      long high = hash.getLong() & 0xffffffffffff0fffL | 0x5000L;
      long low = hash.getLong() & 0x3fffffffffffffffL | 0x8000000000000000L;
      return new UUID(high, low);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
