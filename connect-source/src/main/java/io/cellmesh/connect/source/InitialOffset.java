package io.cellmesh.connect.source;

import io.cellmesh.cell.LogOffset;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds where a new connector begins: behind the creation of the instance, before its first cell.
 */
final class InitialOffset {
  private static final Logger LOG = LoggerFactory.getLogger(InitialOffset.class);

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final ResumePoint resumePoint;
  private final ServerSelector servers;
  private final StopSignal stop;

  /** Of the first server that knew nothing of the instance; while all are away no time passes. */
  private OptionalLong unknownSince = OptionalLong.empty();

  InitialOffset(ResumePoint resumePoint, ServerSelector servers, StopSignal stop) {
    this.resumePoint = resumePoint;
    this.servers = servers;
    this.stop = stop;
  }

  /**
   * One attempt; the resume point is known when it has succeeded. Connect asks again at once, so it
   * takes its time when it has not.
   *
   * @throws ConnectException if a server knows no such instance for a minute
   */
  void find() throws InterruptedException {
    var server = servers.choose(Optional.empty());
    if (server.isPresent()) {
      find(server.get());
    }
    if (resumePoint.offset().isEmpty()) {
      stop.await(PAUSE);
    }
  }

  private void find(BinlogServer server) {
    try (var connection = server.connect()) {
      var gtids = server.createdGtids(connection);
      if (gtids.isPresent()) {
        LOG.info("No stored offset: {} is read from the instance's creation on", server.address());
        resumePoint.moveTo(LogOffset.after(gtids.get()));
      } else if (isUnknownForLong()) {
        throw new ConnectException(
            server.address()
                + " does not know the instance: create it on the cluster's master with `cellmesh"
                + " instance create`, and look whether replication to this server runs");
      }
    } catch (SQLException e) {
      if (!ConnectionLoss.isCauseOf(e)) {
        throw new ConnectException(server.address() + ": " + e.getMessage(), e);
      }
      servers.leave();
    }
  }

  private boolean isUnknownForLong() {
    if (unknownSince.isEmpty()) {
      unknownSince = OptionalLong.of(System.nanoTime());
    }
    return System.nanoTime() - unknownSince.getAsLong() > PATIENCE.toNanos();
  }
}
