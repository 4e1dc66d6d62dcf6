package io.cellmesh.cell;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Digests cells for the proof that data centres agree (invariant 14): equal where key, origin_id
 * and body are, the body by its JSON value. It holds native memory until it is closed and serves
 * one thread.
 */
public final class CellDigest implements AutoCloseable {
  private final Inflation inflation = new Inflation();
  private final JsonBuffer text = new JsonBuffer();
  private final byte[] hash = new byte[32];
  private final MessageDigest sha256;

  public CellDigest() {
    try {
      this.sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Digests a cell that has an origin: the first eight bytes of SHA-256.
   *
   * @throws IllegalStateException if its body is damaged
   */
  public long of(Cell cell) {
    var key = cell.key();
    text.clear();
    text.ascii(key.rowKey().toString());
    text.string(key.columnName());
    text.number(key.refKey());
    text.ascii('/');
    text.number(cell.origin().orElseThrow().id());
    text.ascii('/');
    cell.body().writeCanonical(inflation, text);
    try {
      sha256.update(text.array(), 0, text.length());
      sha256.digest(hash, 0, hash.length);
    } catch (DigestException e) {
      throw new IllegalStateException(e);
    }
    return ByteBuffer.wrap(hash).getLong();
  }

  @Override
  public void close() {
    inflation.close();
  }
}
