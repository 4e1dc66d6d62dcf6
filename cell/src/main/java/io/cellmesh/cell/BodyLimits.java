package io.cellmesh.cell;

/**
 * What a body may be at most. A producer's own is held to this data centre's limits; what a data
 * centre has accepted is taken everywhere, within bounds that every such limit lies well under.
 *
 * @param bytes of JSON as the log carries it, which is not always as a producer wrote it
 * @param exponent of a number, as written and on either side of zero
 */
record BodyLimits(int bytes, int exponent) {
  /** The largest size that a data centre may allow its producers, in bytes. */
  static final int LARGEST = 3 << 20;

  /** What the next data centre, the log's readers and an older program's cells are held to. */
  static final BodyLimits ACCEPTED = new BodyLimits(LARGEST + (1 << 19), Integer.MAX_VALUE);

  private static final int EXPONENT = 10_000;

  BodyLimits {
    if (bytes < 1) {
      throw new IllegalArgumentException("body limit: " + bytes + " is not positive");
    }
  }

  /** The limits of a producer's own bodies. */
  static BodyLimits ofProducers(int bytes) {
    return new BodyLimits(bytes, EXPONENT);
  }
}
