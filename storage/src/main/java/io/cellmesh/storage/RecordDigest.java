package io.cellmesh.storage;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What is remembered of a record to know it again: the first eight bytes of a SHA-256. */
public final class RecordDigest {
  private RecordDigest() {}

  /**
   * Never 0, which stands for an unknown record.
   *
   * @param key of the record, or null
   * @param value of the record, or null
   */
  public static long of(byte[] key, byte[] value) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      add(sha, key);
      add(sha, value);
      long digest = ByteBuffer.wrap(sha.digest()).getLong();
      return digest == 0 ? 1 : digest;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** With its length, so that no two pairs of key and value run into the same bytes. */
  private static void add(MessageDigest sha, byte[] bytes) {
    sha.update(ByteBuffer.allocate(4).putInt(0, bytes == null ? -1 : bytes.length));
    if (bytes != null) {
      sha.update(bytes);
    }
  }
}
