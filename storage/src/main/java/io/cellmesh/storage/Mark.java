package io.cellmesh.storage;

/**
 * A place in one partition of an ingest topic.
 *
 * @param next the next offset
 * @param digest of the record before it, as {@link RecordDigest} makes it; 0 if none is known. It
 *     tells a topic that was recreated, or whose end was lost, from the one that was read
 */
public record Mark(long next, long digest) {
  /** Before the first record. */
  public static final Mark START = new Mark(0, 0);
}
