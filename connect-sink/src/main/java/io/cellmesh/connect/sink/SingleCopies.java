package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.Nodes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
  private final Nodes nodes;
  private final CopyWriter writer;
  private final Lanes lanes;
  private final Deque<Single> singles = new ArrayDeque<>();
  private long bytes;

  SingleCopies(Topology topology, Nodes nodes, CopyWriter writer, Lanes lanes) {
    this.topology = topology;
    this.nodes = nodes;
    this.writer = writer;
    this.lanes = lanes;
  }

  /**
   * Remembers copies if there is another secondary that could have them.
   *
   * @param size bytes of their records, or more
   * @param holders names of the secondaries that have them
   */
  void add(StorageCluster primary, List<Copy> copies, long size, Set<String> holders) {
    if (topology.secondariesOf(primary).size() > holders.size()) {
      singles.add(new Single(primary, copies, size, holders));
      bytes += size;
      while (bytes > MOST_BYTES) {
        LOG.warn("copies of {} stay on one secondary alone", singles.peek().primary.name());
        bytes -= singles.poll().size;
      }
    }
  }

  /**
   * Begins to give another secondary what is still waited for, where one takes writes again.
   *
   * @throws ConnectException if one has refused them for good
   */
  void giveOn() {
    int underWay = 0;
    for (var all = singles.iterator(); all.hasNext() && underWay < AT_ONCE; ) {
      var single = all.next();
      if (single.isTaken() || !waits(single)) {
        bytes -= single.size;
        all.remove();
        continue;
      }
      if (single.another == null && takerOf(single)) {
        single.another = writer.delivery(single.primary, single.copies, single.holders).to(1);
      }
      underWay += single.another == null ? 0 : 1;
    }
  }

  private boolean waits(Single single) {
    var own = lanes.partitions();
    return single.copies.stream()
        .filter(copy -> own.contains(copy.partition()))
        .anyMatch(
            copy -> lanes.of(single.primary, copy.partition()).applied(copy.topic()) < copy.next());
  }

  private boolean takerOf(Single single) {
    return topology.secondariesOf(single.primary).stream()
        .filter(secondary -> !single.holders.contains(secondary.name()))
        .anyMatch(secondary -> nodes.of(secondary.master()).writable());
  }

  private static final class Single {
    private final StorageCluster primary;
    private final List<Copy> copies;
    private final long size;
    private final Set<String> holders;
    private CompletableFuture<Set<String>> another;

    Single(StorageCluster primary, List<Copy> copies, long size, Set<String> holders) {
      this.primary = primary;
      this.copies = copies;
      this.size = size;
      this.holders = holders;
    }

    /** Whether another secondary has them now; one that could not is asked again. */
    boolean isTaken() {
      if (another == null || !another.isDone()) {
        return false;
      }
      try {
        another.join();
        return true;
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof RetriableException)) {
          throw new ConnectException(e.getCause());
        }
        another = null;
        return false;
      }
    }
  }
}
