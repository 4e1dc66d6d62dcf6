package io.cellmesh.cell;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.Adler32;

/**
 * Compresses short inputs into the zlib format (RFC 1950) by deflate's fixed codes (RFC 1951,
 * 3.2.6). For a few hundred bytes a code made to measure saves about what its description costs,
 * but zlib computes it for every input and clears its tables before, which takes ten times as long
 * as the whole of this. Any inflater reads the result. One thread.
 */
final class ShortDeflate {
  /** Longest input, in bytes. */
  static final int MAX_INPUT = 1 << 15;

  private static final int MIN_MATCH = 3;
  private static final int MAX_MATCH = 258;
  private static final int HASH_BITS = 10;

  /** Bytes after which the places are forgotten and counted anew. */
  private static final int LAST_BASE = 1 << 24;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The bits to write for a literal, a length or a distance: {@code bits << 8 | count}. */
  private static final int[] LITERALS = new int[256];

  private static final int[] LENGTHS = new int[MAX_MATCH + 1];
  private static final int[] DISTANCES = new int[30];

  static {
    Arrays.setAll(LITERALS, ShortDeflate::symbol);
    Arrays.setAll(LENGTHS, ShortDeflate::length);
    Arrays.setAll(DISTANCES, code -> Integer.reverse(code) >>> 27);
  }

  private final Adler32 checksum = new Adler32();

  /** The last place of each hash, counted over all inputs so that nothing is to be cleared. */
  private final int[] places = new int[1 << HASH_BITS];

  private int base = 1;

  private byte[] out;
  private int at;
  private long pending;
  private int pendingBits;

  /** Most bytes that an input can become, and some to spare for writing eight at a time. */
  static int bound(int length) {
    return length + length / 8 + 24;
  }

  /**
   * Compresses the first {@code length} bytes of the input.
   *
   * @param target must have room for {@link #bound} bytes from {@code start}
   * @return the end of the compressed bytes in the target
   */
  int deflate(byte[] in, int length, byte[] target, int start) {
    out = target;
    at = start;
    // Method 8, a window of 32 KiB, the fastest way; then one last block of fixed codes.
    target[at++] = 0x78;
    target[at++] = 0x01;
    pending = 0b011;
    pendingBits = 3;
    block(in, length);
    put(0, 7);
    flush();
    at += (pendingBits + 7) >>> 3;
    checksum.reset();
    checksum.update(in, 0, length);
    INT.set(target, at, Integer.reverseBytes((int) checksum.getValue()));
    out = null;
    return at + Integer.BYTES;
  }

  private void block(byte[] in, int length) {
    if (base > LAST_BASE) {
      Arrays.fill(places, 0);
      base = 1;
    }
    int hashed = length - Integer.BYTES;
    int i = 0;
    while (i <= hashed) {
      int here = (int) INT.get(in, i);
      int candidate = swap(here, i);
      if (candidate >= 0 && ((int) INT.get(in, candidate) ^ here) << 8 == 0) {
        int matched = match(in, candidate, i, Math.min(length - i, MAX_MATCH));
        emit(LENGTHS[matched]);
        distance(i - candidate);
        int end = i + matched;
        while (++i < end) {
          if (i <= hashed) {
            swap((int) INT.get(in, i), i);
          }
        }
      } else {
        emit(LITERALS[in[i++] & 0xff]);
      }
    }
    while (i < length) {
      emit(LITERALS[in[i++] & 0xff]);
    }
    base += length;
  }

  /** Remembers the place of three bytes; returns the one before of the same hash, or below 0. */
  private int swap(int bytes, int i) {
    int hash = (bytes << 8) * 0x9E3779B1 >>> 32 - HASH_BITS;
    int before = places[hash] - base;
    places[hash] = base + i;
    return before;
  }

  private static int match(byte[] in, int one, int other, int most) {
    int same = MIN_MATCH;
    while (same < most && in[one + same] == in[other + same]) {
      same++;
    }
    return same;
  }

  private void distance(int distance) {
    int left = distance - 1;
    if (left < 4) {
      put(DISTANCES[left], 5);
      return;
    }
    int extra = 30 - Integer.numberOfLeadingZeros(left);
    int code = 2 * extra + (left >>> extra);
    put(DISTANCES[code] | (left & (1 << extra) - 1) << 5, 5 + extra);
  }

  private void emit(int bitsAndCount) {
    put(bitsAndCount >>> 8, bitsAndCount & 0xff);
  }

  private void put(int bits, int count) {
    pending |= (long) bits << pendingBits;
    pendingBits += count;
    if (pendingBits >= 40) {
      flush();
    }
  }

  private void flush() {
    LONG.set(out, at, pending);
    at += pendingBits >>> 3;
    pending >>>= pendingBits & ~7;
    pendingBits &= 7;
  }

  /** The fixed code of a literal or of the symbol of a length. */
  private static int symbol(int symbol) {
    int count = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    int code =
        symbol < 144
            ? 0x30 + symbol
            : symbol < 256
                ? 0x190 + symbol - 144
                : symbol < 280 ? symbol - 256 : 0xc0 + symbol - 280;
    return Integer.reverse(code) >>> 32 - count << 8 | count;
  }

  private static int length(int length) {
    if (length < MIN_MATCH) {
      return 0;
    }
    if (length == MAX_MATCH) {
      return symbol(285);
    }
    int left = length - MIN_MATCH;
    int extra = left < 8 ? 0 : 29 - Integer.numberOfLeadingZeros(left);
    int code = symbol(257 + 4 * extra + (left >>> extra));
    int count = code & 0xff;
    return (code >>> 8 | (left & (1 << extra) - 1) << count) << 8 | count + extra;
  }
}
