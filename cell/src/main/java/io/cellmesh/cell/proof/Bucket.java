package io.cellmesh.cell.proof;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The first occurrences of the cells of {@value #SIZE} origin_ids: which there are, and a digest of
 * them.
 *
 * <p>It consists of blocks of {@value #BLOCK} ids: a bit for each id that was seen, and the sum of
 * the digests of its cells. So two buckets can be compared up to where both have come, and ids that
 * only one of them has are known one by one. A sum does not depend on the order; that is told by
 * the ids, which rise, and those that came late are counted as inverted.
 *
 * <p>A bucket grows while its shard is folded; what {@link #complete} says does not: a late cell
 * may still come into it.
 */
public final class Bucket {
  /** Origin_ids of a bucket. */
  public static final int SIZE = 4096;

  /** Origin_ids of a block, a bit each of a long. */
  static final int BLOCK = Long.SIZE;

  static final int BLOCKS = SIZE / BLOCK;

  /** Of {@link #firstInverted} while none is. */
  static final long NONE = -1;

  private final long number;
  private final long from;
  private long last;
  private boolean complete;
  private long repeats;
  private long inverted;
  private long firstInverted = NONE;
  private final long firstOffset;
  private long lastOffset;
  private long at;

  /** Of each block; null once the bucket is {@link #summary}. */
  private final long[] seen;

  private final long[] sums;

  /** Of each block the latest time of its cells' records; null likewise. */
  private final long[] times;

  private final int count;
  private final String digest;

  /**
   * Begins an empty bucket.
   *
   * @param from the first origin_id that is folded; 0 if all are
   * @param offset of the record that it begins with
   */
  Bucket(long number, long from, long offset) {
    this.number = number;
    this.from = from;
    this.last = NONE;
    this.firstOffset = offset;
    this.lastOffset = offset;
    this.seen = new long[BLOCKS];
    this.sums = new long[BLOCKS];
    this.times = new long[BLOCKS];
    this.count = 0;
    this.digest = null;
  }

  /** What is left of a bucket of which only its digest is compared any more. */
  private Bucket(Bucket of) {
    this.number = of.number;
    this.from = of.from;
    this.last = of.last;
    this.complete = of.complete;
    this.repeats = of.repeats;
    this.inverted = of.inverted;
    this.firstInverted = of.firstInverted;
    this.firstOffset = of.firstOffset;
    this.lastOffset = of.lastOffset;
    this.at = of.at;
    this.seen = null;
    this.sums = null;
    this.times = null;
    this.count = of.count();
    this.digest = of.digest();
  }

  /** The number of the bucket that holds an origin_id. */
  public static long numberOf(long originId) {
    return originId / SIZE;
  }

  /** Finds the last id of the blocks that end there or before: of the next one a part may come. */
  public static long endOfBlocks(long originId) {
    return (originId + 1) / BLOCK * BLOCK - 1;
  }

  public long number() {
    return number;
  }

  /** The lowest origin_id that it can hold. */
  public long begin() {
    return number * SIZE;
  }

  /** The highest origin_id that it can hold. */
  public long end() {
    return begin() + SIZE - 1;
  }

  /** The lowest origin_id of the shard that was folded; 0 if none was left out. */
  public long from() {
    return from;
  }

  /** The highest origin_id that it holds. */
  public long last() {
    return last;
  }

  /** Whether the shard has gone on to a later bucket. */
  public boolean complete() {
    return complete;
  }

  /** How often a cell came again. */
  public long repeats() {
    return repeats;
  }

  /** Cells that came behind one with a higher origin_id and had never been seen. */
  public long inverted() {
    return inverted;
  }

  /** The origin_id of the first cell that came late; below 0 if none did. */
  public long firstInverted() {
    return firstInverted;
  }

  /** Where the topic has the first of its cells. */
  public long firstOffset() {
    return firstOffset;
  }

  /** Where the topic has the last of its cells. */
  public long lastOffset() {
    return lastOffset;
  }

  /** The time of the last cell's record, in milliseconds since 1970. */
  public long at() {
    return at;
  }

  /** How many cells it holds. */
  public int count() {
    return seen == null ? count : Arrays.stream(seen).mapToInt(Long::bitCount).sum();
  }

  /** How many cells it holds whose origin_ids are higher than one; 0 of a {@link #summary}. */
  public int countBeyond(long originId) {
    if (seen == null || originId >= last) {
      return 0;
    }
    int count = 0;
    for (int i = 0; i < BLOCKS; i++) {
      count += Long.bitCount(beyond(i, originId));
    }
    return count;
  }

  /**
   * When the first of the cells had come whose origin_ids are higher than one, at the latest: the
   * time of the last one in its block. There must be {@linkplain #countBeyond some}.
   */
  long atBeyond(long originId) {
    int block = 0;
    while (beyond(block, originId) == 0) {
      block++;
    }
    return times[block];
  }

  /** A bit for each cell of a block whose origin_id is higher than one. */
  private long beyond(int block, long originId) {
    long over = originId - (begin() + (long) block * BLOCK);
    if (over >= BLOCK - 1) {
      return 0;
    }
    return over < 0 ? seen[block] : seen[block] & -1L << over + 1;
  }

  /** The digest of all of it, in hex: equal for buckets that hold the same. */
  public String digest() {
    if (seen == null) {
      return digest;
    }
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(blocks());
      return HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same without its blocks, to be held in memory for long. */
  Bucket summary() {
    return seen == null ? this : new Bucket(this);
  }

  boolean isSummary() {
    return seen == null;
  }

  long seen(int block) {
    return seen[block];
  }

  long sum(int block) {
    return sums[block];
  }

  boolean has(long originId) {
    return (seen[block(originId)] & bit(originId)) != 0;
  }

  /** Takes in a cell that it does not {@linkplain #has have}. */
  void add(long originId, long cellDigest, long offset, long time) {
    seen[block(originId)] |= bit(originId);
    sums[block(originId)] += cellDigest;
    times[block(originId)] = Math.max(times[block(originId)], time);
    last = Math.max(last, originId);
    lastOffset = offset;
    at = time;
  }

  /** As {@link #add}, for a cell that came behind one with a higher origin_id. */
  void addLate(long originId, long cellDigest, long offset, long time) {
    add(originId, cellDigest, offset, time);
    inverted++;
    if (firstInverted == NONE) {
      firstInverted = originId;
    }
  }

  /** Notes that all has come that will ever come up to an id, though it was no cell. */
  void reached(long originId) {
    last = Math.max(last, originId);
  }

  void repeat() {
    repeats++;
  }

  void finish() {
    complete = true;
  }

  /** The bits and sums of all blocks up to the last one that has cells. */
  byte[] blocks() {
    int used = used();
    var bytes = ByteBuffer.allocate(used * 2 * Long.BYTES);
    for (int i = 0; i < used; i++) {
      bytes.putLong(seen[i]).putLong(sums[i]);
    }
    return bytes.array();
  }

  /**
   * How many milliseconds before the last cell the last one of each of these blocks came; of one
   * that has none a number that says nothing.
   */
  byte[] ages() {
    int used = used();
    var bytes = ByteBuffer.allocate(used * Integer.BYTES);
    for (int i = 0; i < used; i++) {
      bytes.putInt((int) Math.min(Integer.MAX_VALUE, at - times[i]));
    }
    return bytes.array();
  }

  private int used() {
    int used = BLOCKS;
    while (used > 0 && seen[used - 1] == 0) {
      used--;
    }
    return used;
  }

  /** What a bucket says of itself beside its blocks. */
  record Told(
      long last,
      boolean complete,
      long repeats,
      long inverted,
      long firstInverted,
      long lastOffset,
      long at) {}

  /**
   * Takes up what was written before.
   *
   * @param ages none if a version wrote it that did not keep them: then each block is taken to be
   *     as young as the last one
   * @throws IllegalArgumentException if there are more blocks than a bucket has
   */
  Bucket restore(Told told, byte[] blocks, byte[] ages) {
    if (blocks.length % (2 * Long.BYTES) != 0 || blocks.length > BLOCKS * 2 * Long.BYTES) {
      throw new IllegalArgumentException(blocks.length + " bytes are no blocks");
    }
    if (ages.length % Integer.BYTES != 0) {
      throw new IllegalArgumentException(ages.length + " bytes are no ages");
    }
    last = told.last();
    complete = told.complete();
    repeats = told.repeats();
    inverted = told.inverted();
    firstInverted = told.firstInverted();
    lastOffset = told.lastOffset();
    at = told.at();
    var bytes = ByteBuffer.wrap(blocks);
    var before = ByteBuffer.wrap(ages);
    for (int i = 0; bytes.hasRemaining(); i++) {
      seen[i] = bytes.getLong();
      sums[i] = bytes.getLong();
      times[i] = before.hasRemaining() ? at - before.getInt() : at;
    }
    return this;
  }

  private int block(long originId) {
    return (int) ((originId - begin()) / BLOCK);
  }

  private static long bit(long originId) {
    return 1L << (originId % BLOCK);
  }
}
