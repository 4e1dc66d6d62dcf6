package io.cellmesh.storage;

/**
 * Bounds how large a statement to MySQL gets, in the bytes that are sent: {@link Script} writes
 * values in hexadecimal, two characters a byte. Batches, copies and catch-up are cut so that none
 * needs more than {@link #NEEDED}, which a master must accept; a larger one would be refused again
 * at each attempt, and stop every cluster.
 */
public final class Packet {
  /** The {@code max_allowed_packet} that every legal batch fits into, in bytes. */
  public static final long NEEDED = 16 << 20;

  /**
   * Most bytes of records that are written together, each counted by {@link #ofRecord}: encoded
   * they are {@value #PER_JSON} times as large at worst, and some room is left for what is written
   * besides them.
   */
  public static final long BATCH = 3 << 20;

  /** Most bytes of stored cells that are written together, as {@link #ofCells} counts them. */
  public static final long CATCH_UP = 12 << 20;

  /** JSON grows to at most 9/4 as MessagePack, and is then written as hexadecimal digits. */
  private static final double PER_JSON = 4.5;

  private static final long OVERHEAD = 64 << 10;

  /** What a cell takes besides its own bytes, in a table that no other cell of a batch goes to. */
  private static final int PER_CELL = 400;

  /** The same, as bytes of JSON. */
  private static final int PER_RECORD = 64;

  /** The lengths of a header's name and value, which the ledger keeps before them. */
  private static final int PER_HEADER = 8;

  private Packet() {}

  /**
   * Bytes that a record counts for in a batch.
   *
   * @param bytes of its value, as JSON, and of its headers as {@link #ofHeader} counts them
   */
  public static long ofRecord(long bytes) {
    return PER_RECORD + bytes;
  }

  /**
   * Bytes that a header takes in the ledger at most, which keeps its name in UTF-8.
   *
   * @param value may be null
   */
  public static long ofHeader(String name, byte[] value) {
    return PER_HEADER + 3L * name.length() + (value == null ? 0 : value.length);
  }

  /**
   * Bytes of a statement that inserts cells.
   *
   * @param stored bytes of the cells, as a copy holds them
   */
  public static long ofCells(long cells, long stored) {
    return 2 * stored + PER_CELL * cells;
  }

  /** The {@code max_allowed_packet} that a master must have at least. */
  static long needed(int bodyLimit) {
    return Math.max(NEEDED, (long) (bodyLimit * PER_JSON) + OVERHEAD);
  }
}
