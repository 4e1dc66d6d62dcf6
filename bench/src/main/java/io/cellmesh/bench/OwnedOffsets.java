package io.cellmesh.bench;

import java.util.Arrays;

/**
 * Which owner's cell stands at each offset of a topic, so that positions can be counted as cells.
 * Offsets are counted from wherever each partition's first one is. Safe for several threads.
 */
final class OwnedOffsets {
  private final Partition[] partitions;
  private final int owners;

  OwnedOffsets(int partitions, int owners) {
    this.owners = owners;
    this.partitions = new Partition[partitions];
    for (int i = 0; i < partitions; i++) {
      this.partitions[i] = new Partition(owners);
    }
  }

  /** The next cell of a partition; its offset is one above that of the cell before. */
  synchronized void add(int partition, long offset, int owner) {
    partitions[partition].add(offset, owner);
  }

  /**
   * How many of an owner's cells in a partition stand below a position. Positions asked for must
   * not fall.
   */
  synchronized long below(int partition, int owner, long position) {
    return partitions[partition].below(owner, position);
  }

  int owners() {
    return owners;
  }

  private static final class Partition {
    private final int[] cursor;
    private final long[] count;
    private byte[] owners = new byte[1024];
    private int size;
    private long first = -1;

    Partition(int owners) {
      this.cursor = new int[owners];
      this.count = new long[owners];
    }

    void add(long offset, int owner) {
      if (first < 0) {
        first = offset;
      }
      if (offset != first + size) {
        throw new IllegalStateException(
            "offset " + offset + " was produced after " + (first + size - 1));
      }
      if (size == owners.length) {
        owners = Arrays.copyOf(owners, 2 * size);
      }
      owners[size++] = (byte) owner;
    }

    long below(int owner, long position) {
      long end = Math.min(size, position - first);
      while (cursor[owner] < end) {
        if (owners[cursor[owner]++] == owner) {
          count[owner]++;
        }
      }
      return count[owner];
    }
  }
}
