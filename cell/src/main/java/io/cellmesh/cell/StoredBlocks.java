package io.cellmesh.cell;

import java.util.zip.Adler32;

/**
 * Writes bytes in the zlib format (RFC 1950) as they are, in deflate's stored blocks (RFC 1951,
 * 3.2.4). Any inflater reads the result. The JDK's deflater does the same at level 0, and clears
 * its tables before each input, as if it were to compress. One thread.
 */
final class StoredBlocks {
  private static final int LARGEST_BLOCK = 0xFFFF;
  private static final int BLOCK_HEAD = 5;

  /** Deflate with a window of 32 KiB, by the fastest algorithm, no dictionary. */
  private static final int ZLIB_HEAD = 0x7801;

  private static final int AROUND = 2 + 4;

  private final Adler32 checksum = new Adler32();

  /** How many bytes an input becomes. */
  static int size(int length) {
    return AROUND + length + blocks(length) * BLOCK_HEAD;
  }

  /**
   * Writes an input.
   *
   * @param out with room for {@link #size} bytes
   * @param at where they begin
   */
  void write(byte[] in, int length, byte[] out, int at) {
    int next = bigEndian(ZLIB_HEAD, 2, out, at);
    int left = length;
    do {
      int block = Math.min(left, LARGEST_BLOCK);
      out[next] = (byte) (block == left ? 1 : 0);
      littleEndian(block, out, next + 1);
      littleEndian(~block, out, next + 3);
      System.arraycopy(in, length - left, out, next + BLOCK_HEAD, block);
      next += BLOCK_HEAD + block;
      left -= block;
    } while (left > 0);
    checksum.reset();
    checksum.update(in, 0, length);
    bigEndian((int) checksum.getValue(), 4, out, next);
  }

  /** An empty input has one as well. */
  private static int blocks(int length) {
    return Math.max(1, (length + LARGEST_BLOCK - 1) / LARGEST_BLOCK);
  }

  private static void littleEndian(int value, byte[] out, int at) {
    out[at] = (byte) value;
    out[at + 1] = (byte) (value >>> 8);
  }

  private static int bigEndian(int value, int bytes, byte[] out, int at) {
    for (int i = 0; i < bytes; i++) {
      out[at + i] = (byte) (value >>> 8 * (bytes - 1 - i));
    }
    return at + bytes;
  }
}
