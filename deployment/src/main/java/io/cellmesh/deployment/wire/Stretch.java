package io.cellmesh.deployment.wire;

/**
 * What a batch covers of one partition of the log: it has all that is wanted of the records from
 * one offset to before another.
 *
 * @param from where the batch before ended, or the reading began
 * @param next the offset of the next record to read; at least {@code from}
 * @param end the offset behind the last record of the partition, as far as the sender knows
 */
public record Stretch(int partition, long from, long next, long end) {
  /**
   * @throws IllegalArgumentException naming the rule
   */
  public Stretch {
    if (partition < 0 || partition > Batch.MAX_COUNT || from < 0 || next < from) {
      throw new IllegalArgumentException(
          "partition %d from %d to %d is no stretch".formatted(partition, from, next));
    }
  }
}
