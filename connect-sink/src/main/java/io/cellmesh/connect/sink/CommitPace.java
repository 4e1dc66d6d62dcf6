package io.cellmesh.connect.sink;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;

/**
 * Says when a commit is to be asked for, sooner than Connect would commit by itself. While a
 * primary is behind, only the committed offset tells those who wait for its cells that these are
 * secured: at most once a second. And only that offset tells links that more of the mesh may come:
 * as soon as some partition has a part of a link's window since the last commit, at most ten times
 * a second.
 *
 * <p>Connect commits on the side, and tells no task that Kafka has not taken it. So what was asked
 * for is looked for a second later, and asked for again, once a second, until Kafka has it. All
 * times are those of {@link System#nanoTime}. Not thread-safe.
 */
final class CommitPace {
  static final long EVERY = TimeUnit.SECONDS.toNanos(1);

  /** For links, which wait for it. */
  static final long OFTEN = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * So many records of a partition. No link's window may be smaller ({@code mesh.window} of a
   * deployment), or it would wait for Connect's own commit.
   */
  static final int PART_OF_A_WINDOW = 100;

  private final Map<TopicPartition, Integer> written = new HashMap<>();
  private final Map<TopicPartition, Long> unproved = new HashMap<>();
  private long asked;
  private long looked;

  /** Whether somebody waits for the next commit. */
  private boolean wanted;

  /** Whether the last one that was looked for had not been taken. */
  private boolean failing;

  CommitPace(long now) {
    this.asked = now;
  }

  /** What became of a commit that was looked for. */
  enum Found {
    /** Kafka has it, as it had those before, or was not asked for it. */
    TAKEN,
    /** Kafka has not taken it; it is asked for again. */
    FAILED,
    /** It is not the first one that failed since one was taken. */
    FAILED_AGAIN,
    /** Kafka has it, and had not those before. */
    TAKEN_AGAIN
  }

  /** Notes that a record of a partition of the mesh was written. */
  void wrote(TopicPartition at) {
    written.merge(at, 1, Integer::sum);
  }

  /**
   * Notes what Connect commits now. It is looked for if it was asked for, unless an earlier one is
   * still looked for: what is committed later shows of that, too, that it was taken. Where records
   * are read again it is less, and no more is looked for.
   */
  void committing(Map<TopicPartition, Long> offsets, long now) {
    written.clear();
    unproved.replaceAll((at, offset) -> Math.min(offset, offsets.getOrDefault(at, offset)));
    if (wanted && unproved.isEmpty()) {
      unproved.putAll(offsets);
      looked = now;
    }
    wanted = false;
  }

  /** Whether it is time; if so, it is taken to be asked for now. */
  boolean isDue(boolean behind, long now) {
    long since = now - asked;
    boolean due = (behind || failing) && since >= EVERY || linksWait() && since >= OFTEN;
    if (due) {
      asked = now;
      wanted = true;
    }
    return due;
  }

  /** The partitions whose committed offsets are to be looked at now; mostly none. */
  Set<TopicPartition> toLookAt(long now) {
    if (unproved.isEmpty() || now - looked < EVERY) {
      return Set.of();
    }
    looked = now;
    return Set.copyOf(unproved.keySet());
  }

  /**
   * Takes in what Kafka has.
   *
   * @param committed by partition; one that is not there tells nothing
   */
  Found found(Map<TopicPartition, Long> committed) {
    boolean taken =
        unproved.entrySet().stream()
            .allMatch(
                wanted ->
                    committed.getOrDefault(wanted.getKey(), Long.MAX_VALUE) >= wanted.getValue());
    boolean before = failing;
    failing = !taken;
    unproved.clear();
    if (taken) {
      return before ? Found.TAKEN_AGAIN : Found.TAKEN;
    }
    return before ? Found.FAILED_AGAIN : Found.FAILED;
  }

  /** Forgets partitions that others have now. */
  void forget(Collection<TopicPartition> partitions) {
    written.keySet().removeAll(partitions);
    unproved.keySet().removeAll(partitions);
  }

  private boolean linksWait() {
    return written.values().stream().anyMatch(count -> count >= PART_OF_A_WINDOW);
  }
}
