package io.cellmesh.worker.read;

import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.OverloadedException;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.load.UnavailableException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Reads cells of one cluster: from the servers that are meant, else from another of the cluster,
 * until one answers or the deadline comes. No thread waits but those of the servers' lanes.
 * Thread-safe.
 */
public final class CellReads {
  private final Means means;
  private final AtomicInteger turn = new AtomicInteger();

  /**
   * @param timer for pauses and deadlines
   * @param clock in nanoseconds
   */
  public CellReads(
      ShardMap map, ServerLanes servers, ScheduledExecutorService timer, LongSupplier clock) {
    this(map, (Lookups) servers, timer, clock);
  }

  CellReads(ShardMap map, Lookups servers, ScheduledExecutorService timer, LongSupplier clock) {
    this.means =
        new Means(
            map, servers, timer, clock, new Hedging(), new MasterSamples(map, servers, clock));
  }

  /**
   * How a read is to be answered.
   *
   * @param notBefore by partition, the offset of the ingest topic that the server must have passed
   */
  public record Terms(
      ReadFrom from, Map<Integer, Long> notBefore, Priority priority, Deadline deadline) {
    public Terms {
      notBefore = Map.copyOf(notBefore);
    }
  }

  /** What every read needs. */
  record Means(
      ShardMap map,
      Lookups servers,
      ScheduledExecutorService timer,
      LongSupplier clock,
      Hedging hedging,
      MasterSamples samples) {}

  /**
   * Reads, all of it from one server in one statement.
   *
   * @param cluster the name of the one that owns the rows
   * @return the answer; or an {@link OverloadedException}, or an {@link UnavailableException} if no
   *     server that may answer does so within the deadline
   */
  public CompletableFuture<Served> read(String cluster, List<? extends Ask> asks, Terms terms) {
    return new Reading(means, cluster, asks, terms, turn.getAndIncrement()).begin();
  }

  /** How often a second server was asked as well, by how that ended. */
  public Map<String, Long> hedges() {
    return means.hedging().counts();
  }
}
