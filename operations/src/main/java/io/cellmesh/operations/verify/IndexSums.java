package io.cellmesh.operations.verify;

import io.cellmesh.cell.index.IndexEntry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.stream.IntStream;

/**
 * A count and a sum of digests for each shard of an index: equal sets of entries have equal sums,
 * in whatever order they come, and the sums take no more memory for more entries.
 */
final class IndexSums {
  private final long[] counts;
  private final long[] sums;
  private final MessageDigest sha256;

  IndexSums(int shards) {
    this.counts = new long[shards];
    this.sums = new long[shards];
    try {
      this.sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  void add(int shard, IndexEntry entry) {
    counts[shard]++;
    var digest = sha256.digest(entry.toString().getBytes(StandardCharsets.UTF_8));
    sums[shard] += ByteBuffer.wrap(digest).getLong();
  }

  void add(IndexSums other) {
    for (int shard = 0; shard < counts.length; shard++) {
      counts[shard] += other.counts[shard];
      sums[shard] += other.sums[shard];
    }
  }

  long count(int shard) {
    return counts[shard];
  }

  /** The shards in which the other one has something else. */
  int[] differing(IndexSums other) {
    return IntStream.range(0, counts.length)
        .filter(s -> counts[s] != other.counts[s] || sums[s] != other.sums[s])
        .toArray();
  }

  long total() {
    return IntStream.range(0, counts.length).mapToLong(s -> counts[s]).sum();
  }
}
