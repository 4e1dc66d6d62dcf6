package io.cellmesh.operations.mesh.scrub;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the entity tables of a data centre all the time, on each of its servers and at a pace, and
 * holds them against what herb-replicator has folded of its log (invariant 14): a row that is gone,
 * changed, in another place or extra is named within the time that one round takes. What came of it
 * stands in {@code trips.checkpoint}, where whoever starts goes on with what was read longest ago.
 * Several processes share the partitions. A server that does not answer holds up nothing else;
 * whatever else fails is told in the log, and begun again after {@value #PAUSE_SECONDS} s. Where
 * nobody folds the log it reads nothing.
 */
public final class TableScrub implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TableScrub.class);
  private static final long PAUSE_SECONDS = 10;
  private static final Duration LONGEST_END = Duration.ofSeconds(10);

  /** As Kafka's {@code cellmesh grants} calls it. */
  private static final String ROLE = "worker";

  private static final MySqlOptions OPTIONS =
      new MySqlOptions(
          Duration.ofSeconds(2),
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          Duration.ofSeconds(15),
          1);

  private final Supplier<Topology> map;
  private final DataCenter dc;
  private final int rowsPerSecond;
  private final ScrubFigures figures = new ScrubFigures();

  /** Outlives failures: what fails each time is not begun with each time. */
  private final LookOrder order = new LookOrder(System::nanoTime);

  private final Thread thread;
  private volatile boolean ended;
  private String why = "";

  /**
   * @param map the shard map as it is now
   * @param rowsPerSecond that this process reads at most, over all servers; at least 1
   */
  public TableScrub(Supplier<Topology> map, DataCenter dc, int rowsPerSecond) {
    if (rowsPerSecond < 1) {
      throw new IllegalArgumentException(rowsPerSecond + " rows a second");
    }
    this.map = map;
    this.dc = dc;
    this.rowsPerSecond = rowsPerSecond;
    this.thread = new Thread(this::live, "scrub-" + dc.topology().instance());
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  public ScrubFigures figures() {
    return figures;
  }

  @Override
  public void close() {
    ended = true;
    thread.interrupt();
    try {
      thread.join(LONGEST_END.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void live() {
    while (!ended) {
      try (var pools = new Pools(server -> dc.reader(), OPTIONS)) {
        run(pools);
      } catch (InterruptedException | InterruptException e) {
        ended = true;
      } catch (RuntimeException | Error e) {
        // One that ended for good would be missed by nobody for a long time.
        failed(e);
      }
      figures.running(false);
      pause();
    }
  }

  private void run(Pools pools) throws InterruptedException {
    try (var run = new ScrubRun(map, dc.kafka(), pools, rowsPerSecond, figures, order)) {
      while (!ended) {
        var rest = run.turn();
        figures.running(true);
        why = "";
        TimeUnit.NANOSECONDS.sleep(rest.toNanos());
      }
    }
  }

  private void pause() {
    if (ended) {
      return;
    }
    try {
      TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
    } catch (InterruptedException e) {
      ended = true;
    }
  }

  /** Says what is new, once. */
  private void failed(Throwable failure) {
    var said =
        MissingRightException.refusalIn(failure)
            .map(refusal -> MissingRightException.of(dc.kafka(), "Read or Write", refusal))
            .map(lack -> lack.inRole(ROLE).getMessage())
            .orElse(failure.toString());
    if (!said.equals(why)) {
      LOG.warn("The tables of {} are not read: {}", dc.topology().instance(), said);
    }
    why = said;
  }
}
