package io.cellmesh.connect.source;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.LogOffset.Place;
import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.ShardSet.Range;
import io.cellmesh.cell.Topology.StorageCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Optional;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the log again from the entity tables, shard by shard in the order of added_id, and leaves
 * the resume point where the binlog goes on.
 *
 * <p>Before the first row is read, the transactions to stream after are known; so a cell that is
 * committed meanwhile comes from the table, from the binlog, or from both, and is never left out.
 * In a shard the order of added_id is that of the commits (invariant 2), so by first occurrence the
 * log's order is right. Every record carries the place it was read at: whoever takes over goes on
 * behind it; and a {@link #stamp}, which those from the binlog lack.
 */
final class Rebuild {
  private static final Logger LOG = LoggerFactory.getLogger(Rebuild.class);

  private static final int MOST_AT_ONCE = 1000;
  private static final long MOST_BYTES = 4 << 20;
  private static final Duration REPORT = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** A server that has answered all the time can still refuse another connection. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final StorageCluster cluster;
  private final ResumePoint resumePoint;
  private final ServerSelector servers;
  private final LogWriter writer;
  private final StopSignal stop;
  private volatile Connection connection;
  private EntityRows rows;
  private volatile long cells;
  private long reported;
  private Optional<String> stamp = Optional.empty();

  Rebuild(
      StorageCluster cluster,
      ResumePoint resumePoint,
      ServerSelector servers,
      LogWriter writer,
      StopSignal stop) {
    this.cluster = cluster;
    this.resumePoint = resumePoint;
    this.servers = servers;
    this.writer = writer;
    this.stop = stop;
  }

  /**
   * Reads the next cells; none while no server can be read, after a pause, since Connect asks again
   * at once; and none when the last has been read.
   *
   * @throws ConnectException if the stored request can't be carried out
   */
  void read(RecordBatcher batcher) throws InterruptedException {
    var offset = resumePoint.offset().orElseThrow();
    try {
      if (connection != null || connect(offset)) {
        readRows(batcher);
      } else {
        stop.await(PAUSE);
      }
    } catch (SQLException e) {
      if (!ConnectionLoss.isCauseOf(e)) {
        throw new ConnectException(
            servers.current().map(BinlogServer::address).orElse("") + ": " + e.getMessage(), e);
      }
      LOG.warn("The rebuild is interrupted: {}", ConnectionLoss.rootMessage(e));
      disconnect();
      servers.leave();
      stop.await(RETRY);
    }
  }

  /** When this task set about the rebuild, in UTC to the second; empty before and after it. */
  Optional<String> stamp() {
    return stamp;
  }

  /** Cells that this task has read from the tables. */
  long cells() {
    return cells;
  }

  /** How many shards are left. */
  long shardsLeft() {
    return resumePoint
        .offset()
        .flatMap(LogOffset::rebuild)
        .map(shards -> shards.stream().count())
        .orElse(0L);
  }

  /** After the signal was given, so that no other connection is opened. */
  void stop() {
    disconnect();
  }

  private boolean connect(LogOffset offset) throws SQLException {
    check(offset);
    if (stop.isGiven()) {
      return false;
    }
    var server = servers.choose(offset.gtids().map(GtidSet::parse));
    if (server.isEmpty()) {
      return false;
    }
    var opened = server.get().connect();
    connection = opened;
    if (stop.isGiven()) {
      disconnect();
      return false;
    }
    servers.arrived();
    if (offset.gtids().isEmpty()) {
      var executed = BinlogServer.ask(opened).executed().toString();
      resumePoint.moveTo(new LogOffset(Optional.of(executed), offset.behind(), offset.rebuild()));
    }
    if (stamp.isEmpty()) {
      stamp = Optional.of(Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
      LOG.info(
          "Rebuilding the log of shards {} from {}",
          offset.rebuild().orElseThrow(),
          server.get().address());
    }
    return true;
  }

  private void readRows(RecordBatcher batcher) throws SQLException {
    var offset = resumePoint.offset().orElseThrow();
    var left = offset.rebuild().orElseThrow();
    int shard = left.stream().findFirst().orElseThrow();
    if (rows == null) {
      rows =
          EntityRows.open(
              connection,
              writer.database(shard),
              shard,
              offset.behind().map(Place::addedId).orElse(0L));
    }
    boolean more = true;
    for (long bytes = 0; batcher.size() < MOST_AT_ONCE && bytes < MOST_BYTES; cells++) {
      more = rows.next();
      if (!more) {
        break;
      }
      var cell = rows.cell();
      var behind =
          new LogOffset(
              offset.gtids(), Optional.of(new Place(shard, cell.addedId())), offset.rebuild());
      batcher.add(cell, stamp, resumePoint.offset().orElseThrow(), behind);
      resumePoint.moveTo(behind);
      bytes += cell.cell().body().stored().length;
    }
    if (!more) {
      rows.close();
      rows = null;
      finish(offset.gtids(), left);
    }
    report(left);
  }

  private void finish(Optional<String> gtids, ShardSet shards) {
    var left = withoutFirst(shards);
    if (left.isPresent()) {
      resumePoint.moveTo(new LogOffset(gtids, Optional.empty(), left));
      return;
    }
    resumePoint.moveTo(LogOffset.after(gtids.orElseThrow()));
    disconnect();
    stamp = Optional.empty();
    servers.leave();
    LOG.info("The log is rebuilt with {} cells; streaming goes on", cells);
  }

  private static Optional<ShardSet> withoutFirst(ShardSet shards) {
    var ranges = new ArrayList<>(shards.ranges());
    var first = ranges.remove(0);
    if (first.first() < first.last()) {
      ranges.add(0, new Range(first.first() + 1, first.last()));
    }
    return ranges.isEmpty() ? Optional.empty() : Optional.of(new ShardSet(ranges));
  }

  private void check(LogOffset offset) {
    var asked = offset.rebuild().orElseThrow();
    var foreign = asked.stream().filter(shard -> !cluster.shards().contains(shard)).findFirst();
    if (foreign.isPresent()) {
      throw new ConnectException(
          "rebuild: shard %d is not one of cluster %s, which has %s"
              .formatted(foreign.getAsInt(), cluster.name(), cluster.shards()));
    }
    if (offset.gtids().isEmpty() && !cluster.shards().stream().allMatch(asked::contains)) {
      throw new ConnectException(
          "rebuild: of shards %s alone, without gtids, would leave a gap in the others of cluster %s"
              .formatted(asked, cluster.name()));
    }
  }

  private void report(ShardSet left) {
    long now = System.nanoTime();
    if (reported == 0) {
      reported = now;
    } else if (now - reported > REPORT.toNanos()) {
      reported = now;
      LOG.info("Rebuilding the log: {} cells so far, shards {} are left", cells, left);
    }
  }

  private void disconnect() {
    rows = null;
    var open = connection;
    connection = null;
    if (open != null) {
      try {
        // Not closed in an orderly way: that would read the rest of the result first.
        open.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.debug("While closing a connection", e);
      }
    }
  }
}
