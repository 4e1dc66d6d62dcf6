package io.cellmesh.herb;

import io.cellmesh.cell.proof.BucketCodec;
import io.cellmesh.cell.proof.BucketKey;
import io.cellmesh.cell.proof.FoldPlace;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.PartitionFold;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes up the folding of a partition where {@code trips.checkpoint} says that it is. */
final class FoldedPartition {
  private static final Logger LOG = LoggerFactory.getLogger(FoldedPartition.class);

  private final FoldSource source;
  private final int partition;
  private final Set<String> keys = new HashSet<>();
  private PartitionFold fold;
  private FoldPlace place;

  FoldedPartition(FoldSource source, int partition) {
    this.source = source;
    this.partition = partition;
    this.fold = new PartitionFold(source, true);
  }

  /** Takes in a record of the partition's checkpoints, in their order. */
  void stored(byte[] key, byte[] value) {
    var text = new String(key, StandardCharsets.UTF_8);
    if (value == null) {
      keys.remove(text);
      return;
    }
    FoldPlace.read(text, value)
        .filter(read -> read.source() == source && read.partition() == partition)
        .ifPresent(read -> place = read);
    BucketKey.parse(text)
        .filter(named -> named.source() == source)
        .ifPresent(
            named -> {
              keys.add(text);
              BucketCodec.read(named, value).ifPresent(bucket -> fold.resume(named, bucket));
            });
  }

  /**
   * A partition to be folded from an offset on.
   *
   * @param next the offset of the record to fold next
   * @param damaged records that were left out so far
   * @param outdated keys of another topic's buckets, to be removed
   * @param cut whether records had expired before they were folded
   */
  record Begin(PartitionFold fold, long next, long damaged, Set<String> outdated, boolean cut) {}

  /**
   * Says where to go on, after all that is stored was taken in.
   *
   * @param topic Kafka's id of the topic as it is now
   * @param begin its first offset
   * @param end the offset behind its last record
   */
  Begin begin(String topic, long begin, long end) {
    if (place == null || !place.topic().equals(topic) || place.next() > end) {
      if (place != null) {
        LOG.warn(
            "{} partition {} was made again, or has lost its end: it is folded from its beginning",
            source.text(),
            partition);
      }
      return new Begin(new PartitionFold(source, begin == 0), begin, 0, Set.copyOf(keys), false);
    }
    fold.resume(place);
    if (place.next() < begin) {
      cut(fold, source, partition, place.next(), begin);
      return new Begin(fold, begin, place.damaged(), Set.of(), true);
    }
    return new Begin(fold, place.next(), place.damaged(), Set.of(), false);
  }

  /**
   * Leaves out what expired before it was folded, and says so.
   *
   * @param next the offset of the record that was to be folded next
   * @param begin the first one that is left
   */
  static void cut(PartitionFold fold, FoldSource source, int partition, long next, long begin) {
    LOG.warn(
        "{} partition {}: records {} to {} expired before they were folded; what was in them is not proved",
        source.text(),
        partition,
        next,
        begin - 1);
    fold.cut(begin, System.currentTimeMillis());
  }
}
