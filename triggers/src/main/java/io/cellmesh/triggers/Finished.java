package io.cellmesh.triggers;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What is finished besides all that lies below a committed offset, as the commit's metadata holds
 * it: the character {@code 1}, which is the version, then Base64 (URL's alphabet, no padding) of a
 * CRC-32C over the offset and the rest, the runs, and the shards. All numbers are varints; a run is
 * its distance from the end of the one before and its length; a shard is its distance from the one
 * before, whether it has a stretch, its lowest id, how many follow, and the same of the stretch.
 *
 * @param runs finished offsets beyond the committed one, ascending, neither touching nor empty
 * @param shards the ids that are finished of each shard
 */
record Finished(List<Run> runs, List<ShardIds> shards) {
  /** As many characters as Kafka takes ({@code offset.metadata.max.bytes}). */
  static final int LONGEST = 4096;

  /** As many bytes of it as runs may take; the rest is the shards'. */
  static final int RUN_BYTES = 2048;

  static final Finished NOTHING = new Finished(List.of(), List.of());

  private static final char VERSION = '1';
  private static final int BYTES = (LONGEST - 1) / 4 * 3;

  /** Finished offsets from the first to before the end. */
  record Run(long first, long end) {}

  /**
   * @param recency the higher the later a cell of the shard was finished
   */
  record ShardIds(int shard, MetIds ids, long recency) {}

  /** An upper bound of the bytes that so many runs take over so many offsets. */
  static long mostBytes(long runs, long span) {
    long numbers = 2 * runs;
    long bytes = numbers;
    for (long rest = span >> 7; rest > 0; rest >>= 7) {
      bytes += Math.min(numbers, rest);
    }
    return bytes;
  }

  /**
   * Writes it down for an offset, at most 4,096 characters of ASCII. What does not fit is left out:
   * the last runs, and the shards of which no cell was finished for the longest time; their cells
   * may come again.
   */
  String encode(long offset) {
    var bytes = new Varints();
    encodeRuns(offset, bytes);
    encodeShards(BYTES - Integer.BYTES - bytes.size(), bytes);
    if (bytes.size() == 2) {
      return "";
    }
    var body = bytes.toByteArray();
    var whole = ByteBuffer.allocate(Integer.BYTES + body.length);
    whole.putInt(checksum(offset, body)).put(body);
    return VERSION + Base64.getUrlEncoder().withoutPadding().encodeToString(whole.array());
  }

  private void encodeRuns(long offset, Varints bytes) {
    var some = new Varints();
    int count = 0;
    long end = offset;
    for (var run : runs) {
      long gap = run.first() - end;
      long length = run.end() - run.first();
      if (some.size() + Varints.size(gap) + Varints.size(length) > RUN_BYTES) {
        break;
      }
      some.put(gap);
      some.put(length);
      end = run.end();
      count++;
    }
    bytes.put(count);
    bytes.writeBytes(some.toByteArray());
  }

  private void encodeShards(int room, Varints bytes) {
    var all = new ArrayList<>(shards);
    all.sort(Comparator.comparingInt(ShardIds::shard));
    var encoded = encoded(all);
    if (encoded.length > room) {
      encoded = encoded(latest(room));
    }
    bytes.writeBytes(encoded);
  }

  /** Those of late that fit, by the size that each has where none stands before it. */
  private List<ShardIds> latest(int room) {
    var latest = new ArrayList<>(shards);
    latest.sort(Comparator.comparingLong(ShardIds::recency).reversed());
    int left = room - Varints.size(latest.size());
    int count = 0;
    while (count < latest.size()) {
      var one = new Varints();
      put(latest.get(count), 0, one);
      left -= one.size();
      if (left < 0) {
        break;
      }
      count++;
    }
    var kept = latest.subList(0, count);
    kept.sort(Comparator.comparingInt(ShardIds::shard));
    return kept;
  }

  private static byte[] encoded(List<ShardIds> shards) {
    var bytes = new Varints();
    bytes.put(shards.size());
    int before = 0;
    for (var shard : shards) {
      put(shard, before, bytes);
      before = shard.shard();
    }
    return bytes.toByteArray();
  }

  private static void put(ShardIds shard, int before, Varints bytes) {
    var ids = shard.ids();
    bytes.put((long) (shard.shard() - before) << 1 | (ids.hasStretch() ? 1 : 0));
    bytes.put(ids.lowest());
    bytes.put(ids.highest() - ids.lowest());
    if (ids.hasStretch()) {
      bytes.put(ids.stretchFirst());
      bytes.put(ids.stretchLast() - ids.stretchFirst());
    }
  }

  /**
   * Reads what was written down with an offset. Where the metadata is empty, of another version,
   * damaged, or another offset's, nothing is known: cells come again, and none is skipped.
   */
  static Finished decode(long offset, String metadata) {
    if (metadata.isEmpty() || metadata.charAt(0) != VERSION) {
      return NOTHING;
    }
    try {
      var text = metadata.substring(1).getBytes(StandardCharsets.UTF_8);
      var whole = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
      int checksum = whole.getInt();
      var body = new byte[whole.remaining()];
      whole.get(body);
      return checksum == checksum(offset, body) ? read(offset, ByteBuffer.wrap(body)) : NOTHING;
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      return NOTHING;
    }
  }

  private static Finished read(long offset, ByteBuffer body) {
    var runs = new ArrayList<Run>();
    long end = offset;
    for (long left = Varints.get(body); left > 0; left--) {
      long first = end + Varints.get(body);
      end = first + Varints.get(body);
      runs.add(new Run(first, end));
    }
    var shards = new ArrayList<ShardIds>();
    int shard = 0;
    for (long left = Varints.get(body); left > 0; left--) {
      long distance = Varints.get(body);
      shard += (int) (distance >> 1);
      long lowest = Varints.get(body);
      long highest = lowest + Varints.get(body);
      var ids = new MetIds(lowest, highest);
      if ((distance & 1) == 1) {
        long first = Varints.get(body);
        ids = new MetIds(lowest, highest, first, first + Varints.get(body));
      }
      shards.add(new ShardIds(shard, ids, 0));
    }
    return new Finished(runs, shards);
  }

  private static int checksum(long offset, byte[] body) {
    var sum = new CRC32C();
    sum.update(ByteBuffer.allocate(Long.BYTES).putLong(0, offset));
    sum.update(body);
    return (int) sum.getValue();
  }

  /** Numbers of 64 bits, seven a byte, the lowest first. */
  private static final class Varints extends ByteArrayOutputStream {
    void put(long number) {
      long rest = number;
      while ((rest & ~0x7fL) != 0) {
        write((int) (rest & 0x7f | 0x80));
        rest >>>= 7;
      }
      write((int) rest);
    }

    static int size(long number) {
      return Math.max(1, (70 - Long.numberOfLeadingZeros(number)) / 7);
    }

    static long get(ByteBuffer bytes) {
      long number = 0;
      for (int shift = 0; shift < Long.SIZE; shift += 7) {
        byte next = bytes.get();
        number |= (next & 0x7fL) << shift;
        if (next >= 0) {
          return number;
        }
      }
      throw new IllegalArgumentException("a number of more than 64 bits");
    }
  }
}
