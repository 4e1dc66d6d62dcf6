package io.cellmesh.cell;

import java.nio.ByteBuffer;
import java.util.UUID;

/** A UUID as the {@code BINARY(16)} that MySQL keeps: its digits as they are written. */
public final class UuidBytes {
  private static final int LENGTH = 16;

  private UuidBytes() {}

  public static byte[] of(UUID uuid) {
    return ByteBuffer.allocate(LENGTH)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }

  /**
   * @throws java.nio.BufferUnderflowException if there are fewer than 16 bytes
   */
  public static UUID read(byte[] bytes) {
    return read(ByteBuffer.wrap(bytes));
  }

  /** The same, from the buffer's position on, which stays where it is. */
  public static UUID read(ByteBuffer bytes) {
    var from = bytes.duplicate();
    return new UUID(from.getLong(), from.getLong());
  }
}
