package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.Copy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers copies that stand on one secondary alone although their primary has not taken the
 * cells, because no other secondary took them at the time, and gives them to another one as soon as
 * it can (invariant 5). Used by the task's own thread alone, which it never keeps waiting.
 */
final class SingleCopies {
  private static final Logger LOG = LoggerFactory.getLogger(SingleCopies.class);

  /** Most bytes of records that are remembered; the oldest ones stay single. */
  private static final long MOST_BYTES = 16 << 20;

  /** So many are brought at a time, however many a long outage has left. */
  private static final int AT_ONCE = 4;

  private final Topology topology;
  private final Predicate<StorageCluster> takesWrites;
  private final Giver giver;
  private final Lanes lanes;
  private final Map<Kind, Deque<Single>> waiting = new LinkedHashMap<>();
  private final List<Gift> underWay = new ArrayList<>(AT_ONCE);
  private long added;
  private long bytes;

  /**
   * @param takesWrites whether a secondary takes writes, as far as is known
   */
  SingleCopies(Topology topology, Predicate<StorageCluster> takesWrites, Giver giver, Lanes lanes) {
    this.topology = topology;
    this.takesWrites = takesWrites;
    this.giver = giver;
    this.lanes = lanes;
  }

  /** Brings copies to one secondary that does not hold them yet. */
  @FunctionalInterface
  interface Giver {
    /**
     * @return fails with {@link RetriableException} if none can be reached just now
     */
    CompletableFuture<Set<String>> give(
        StorageCluster primary, List<Copy> copies, Set<String> holders);
  }

  /** What can go to the same secondaries, so that the first one tells of all. */
  private record Kind(StorageCluster primary, Set<String> holders) {}

  /**
   * @param number in the order in which they were added
   */
  private record Single(long number, List<Copy> copies, long size) {}

  private record Gift(Kind kind, Single single, CompletableFuture<Set<String>> taken) {}

  /**
   * Remembers copies if there is another secondary that could have them.
   *
   * @param size bytes of their records, or more
   * @param holders names of the secondaries that have them
   */
  void add(StorageCluster primary, List<Copy> copies, long size, Set<String> holders) {
    if (topology.secondariesOf(primary).size() > holders.size()) {
      of(new Kind(primary, holders)).add(new Single(added++, copies, size));
      bytes += size;
      while (bytes > MOST_BYTES && !waiting.isEmpty()) {
        forgetOldest();
      }
    }
  }

  /**
   * Begins to give another secondary what is still waited for, where one takes writes again. Costs
   * nothing while nothing waits, else a look at the first of each kind, however many wait behind
   * it.
   *
   * @throws ConnectException if one has refused them for good
   */
  void giveOn() {
    finish();
    for (var kinds = waiting.entrySet().iterator(); kinds.hasNext() && !isBusy(); ) {
      var kind = kinds.next();
      giveOn(kind.getKey(), kind.getValue());
      if (kind.getValue().isEmpty()) {
        kinds.remove();
      }
    }
  }

  private void giveOn(Kind kind, Deque<Single> singles) {
    boolean possible = hasTaker(kind);
    while (!singles.isEmpty() && !isBusy()) {
      var first = singles.peek();
      if (!waits(kind.primary, first)) {
        bytes -= first.size;
      } else if (possible) {
        var taken = giver.give(kind.primary, first.copies, kind.holders);
        underWay.add(new Gift(kind, first, taken));
      } else {
        return;
      }
      singles.remove();
    }
  }

  /** Lets go of what another secondary has now; what none could take is given again. */
  private void finish() {
    for (var gifts = underWay.iterator(); gifts.hasNext(); ) {
      var gift = gifts.next();
      if (isTaken(gift) || !waits(gift.kind.primary, gift.single)) {
        bytes -= gift.single.size;
        gifts.remove();
      } else if (gift.taken.isDone()) {
        of(gift.kind).addFirst(gift.single);
        gifts.remove();
      }
    }
  }

  private void forgetOldest() {
    var oldest =
        waiting.entrySet().stream()
            .min(Comparator.comparing(kind -> kind.getValue().peek().number))
            .orElseThrow();
    var kind = oldest.getKey();
    var single = oldest.getValue().remove();
    if (waits(kind.primary, single)) {
      LOG.warn("copies of {} stay on one secondary alone", kind.primary.name());
    }
    bytes -= single.size;
    if (oldest.getValue().isEmpty()) {
      waiting.remove(kind);
    }
  }

  private Deque<Single> of(Kind kind) {
    return waiting.computeIfAbsent(kind, none -> new ArrayDeque<>());
  }

  private boolean isBusy() {
    return underWay.size() >= AT_ONCE;
  }

  private boolean waits(StorageCluster primary, Single single) {
    return single.copies.stream()
        .filter(copy -> lanes.has(copy.partition()))
        .anyMatch(copy -> lanes.of(primary, copy.partition()).applied(copy.topic()) < copy.next());
  }

  private boolean hasTaker(Kind kind) {
    return topology.secondariesOf(kind.primary).stream()
        .filter(secondary -> !kind.holders.contains(secondary.name()))
        .anyMatch(takesWrites);
  }

  private static boolean isTaken(Gift gift) {
    if (!gift.taken.isDone()) {
      return false;
    }
    try {
      gift.taken.join();
      return true;
    } catch (CompletionException e) {
      if (!(e.getCause() instanceof RetriableException)) {
        throw new ConnectException(e.getCause());
      }
      return false;
    }
  }
}
