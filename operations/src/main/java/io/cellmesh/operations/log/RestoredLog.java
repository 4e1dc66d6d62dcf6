package io.cellmesh.operations.log;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.operations.OperationException;
import java.time.Duration;
import java.util.Optional;

/**
 * Lets the log of a cluster go on whose servers were restored from a backup: it has shown
 * transactions that nobody has any more, and whose cells come back in others. What it holds stays,
 * so it takes nothing back (invariant 8).
 */
public record RestoredLog(LogSources sources) {
  private static final Duration STOP = Duration.ofSeconds(120);
  private static final Duration POLL = Duration.ofMillis(200);

  /**
   * Has each source of the cluster that has shown more go on behind what a server has; a rebuild
   * that is under way begins its present shard again. Nothing may be committed there meanwhile. One
   * that is stopped runs again: an interruption may have left it so.
   *
   * @param executed the transactions of that server
   * @return how many sources it changed
   * @throws OperationException if one does not stop within two minutes
   */
  public int goOnBehind(StorageCluster cluster, GtidSet executed) throws InterruptedException {
    int changed = 0;
    for (var source : sources.all()) {
      if (!source.connector().cluster().name().equals(cluster.name())) {
        continue;
      }
      boolean astray =
          source
              .offset()
              .flatMap(LogOffset::gtids)
              .filter(shown -> !executed.containsAll(GtidSet.parse(shown)))
              .isPresent();
      if (astray) {
        change(source.connector(), source.offset().orElseThrow(), executed);
        changed++;
      } else if (source.state().isStopped()) {
        sources.connect().resume(source.connector().name());
        changed++;
      }
    }
    return changed;
  }

  private void change(SourceConnector source, LogOffset offset, GtidSet executed)
      throws InterruptedException {
    var connect = sources.connect();
    connect.stop(source.name());
    if (!Waiting.within(STOP, POLL, () -> sources.state(source).isStopped())) {
      throw OperationException.unavailable(
          "%s has not stopped after %d s; see the log of its Connect worker, and run this again"
              .formatted(source.name(), STOP.toSeconds()));
    }
    var next = new LogOffset(Optional.of(executed.toString()), Optional.empty(), offset.rebuild());
    connect.alterOffsets(source.name(), StoredOffset.request(source.server(), next));
    connect.resume(source.name());
  }
}
