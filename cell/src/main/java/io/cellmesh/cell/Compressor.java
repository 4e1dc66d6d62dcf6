package io.cellmesh.cell;

import java.util.Arrays;
import java.util.zip.Deflater;

/**
 * Turns MessagePack into a stored body: the version byte, then zlib. It may hold native memory
 * until it is closed and serves one thread.
 *
 * <p>Short bodies of short texts, as most records are, take {@link ShortDeflate}. Longer ones and
 * prose take the JDK's deflater: a code made to measure shrinks those by a tenth or more. Level 3
 * costs it a quarter less time than level 6 and 2 to 8 % more bytes. What is dropped after a look
 * takes {@link StoredBlocks}.
 */
final class Compressor implements AutoCloseable {
  /** Longest MessagePack, in bytes, that {@link ShortDeflate} takes. */
  static final int SHORT_BODY = 1024;

  /** Longest text within it, in bytes of UTF-8. */
  static final int SHORT_TEXT = 128;

  private static final int LEVEL = 3;

  private final boolean passing;
  private final StoredBlocks blocks = new StoredBlocks();
  private final ShortDeflate shorter = new ShortDeflate();
  private final byte[] scratch = new byte[ShortDeflate.bound(SHORT_BODY) + 1];

  /** A quarter of a megabyte of native memory, from the first longer body on. */
  private Deflater deflater;

  private Compressor(boolean passing) {
    this.passing = passing;
  }

  /** One whose bodies are as small as they are to be stored. */
  static Compressor ofStored() {
    return new Compressor(false);
  }

  /** One for whoever drops the bodies after a look: they are no smaller than they came. */
  static Compressor ofPassing() {
    return new Compressor(true);
  }

  byte[] stored(MsgpackBuffer msgpack) {
    if (passing) {
      return asItIs(msgpack);
    }
    scratch[0] = Body.VERSION;
    if (msgpack.length() <= SHORT_BODY && msgpack.longestText() <= SHORT_TEXT) {
      int end = shorter.deflate(msgpack.array(), msgpack.length(), scratch, 1);
      return Arrays.copyOf(scratch, end);
    }
    return deflate(msgpack);
  }

  @Override
  public void close() {
    if (deflater != null) {
      deflater.end();
    }
  }

  private byte[] asItIs(MsgpackBuffer msgpack) {
    var stored = new byte[1 + StoredBlocks.size(msgpack.length())];
    stored[0] = Body.VERSION;
    blocks.write(msgpack.array(), msgpack.length(), stored, 1);
    return stored;
  }

  private byte[] deflate(MsgpackBuffer msgpack) {
    if (deflater == null) {
      deflater = new Deflater(LEVEL);
    }
    deflater.reset();
    deflater.setInput(msgpack.array(), 0, msgpack.length());
    deflater.finish();
    var stored = scratch;
    int length = 1;
    while (true) {
      length += deflater.deflate(stored, length, stored.length - length);
      if (deflater.finished()) {
        return Arrays.copyOf(stored, length);
      }
      stored = Arrays.copyOf(stored, stored.length * 2);
    }
  }
}
