package io.cellmesh.cell;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The permanent routing of keys (invariant 1).
 *
 * <p>{@code shard = (murmur2(key) & 0x7fffffff) mod S}, murmur2 being the variant of Kafka's
 * default partitioner with its seed {@code 0x9747b28c}, over the key's UTF-8 bytes; for a row key
 * these are the 36 lower-case ASCII characters of the UUID. Since P divides S, the partition that a
 * Kafka producer chooses for the key is {@code shard mod P}.
 *
 * @param count S, the number of shards; fixed when the instance is created
 * @param partitions P, the partition count of the instance's topics; divides S
 */
public record Shards(int count, int partitions) {

  /** Most shards that an instance can have: four digits name a database. */
  public static final int MAX_COUNT = 10_000;

  /**
   * @throws IllegalArgumentException if S is not in 1..{@value #MAX_COUNT} or P does not divide S
   */
  public Shards {
    if (count < 1 || count > MAX_COUNT) {
      throw new IllegalArgumentException("shards: " + count + " is not in 1.." + MAX_COUNT);
    }
    if (partitions < 1 || count % partitions != 0) {
      throw new IllegalArgumentException(
          "partitions: " + partitions + " does not divide shards (" + count + ")");
    }
  }

  /** The shard of a row. */
  public int of(UUID rowKey) {
    return of(rowKey.toString());
  }

  /** The shard of any key, by its UTF-8 bytes; an index shards by the value of its shard field. */
  public int of(String key) {
    return of(key.getBytes(StandardCharsets.UTF_8));
  }

  /** The shard of a record key's bytes. */
  public int of(byte[] key) {
    return (murmur2(key) & 0x7fffffff) % count;
  }

  /** The partition that holds a shard in every topic of the instance. */
  public int partitionOf(int shard) {
    return shard % partitions;
  }

  static int murmur2(byte[] data) {
    final int m = 0x5bd1e995;
    int length = data.length;
    int h = 0x9747b28c ^ length;
    int blocks = length & ~3;
    for (int i = 0; i < blocks; i += 4) {
      int k =
          (data[i] & 0xff)
              | (data[i + 1] & 0xff) << 8
              | (data[i + 2] & 0xff) << 16
              | (data[i + 3] & 0xff) << 24;
      k *= m;
      k ^= k >>> 24;
      h = h * m ^ k * m;
    }
    int tail = 0;
    for (int i = length - 1; i >= blocks; i--) {
      tail = tail << 8 | data[i] & 0xff;
    }
    if (length > blocks) {
      h = (h ^ tail) * m;
    }
    h ^= h >>> 13;
    h *= m;
    return h ^ h >>> 15;
  }
}
