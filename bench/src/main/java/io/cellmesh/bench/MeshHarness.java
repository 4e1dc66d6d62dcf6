package io.cellmesh.bench;

import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.Progress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Takes a way between data centres through its backlogs and streams, every way alike: a backlog is
 * there before it is let go, and a stream comes at a steady rate.
 */
final class MeshHarness {
  /** Cells a second of a stream. */
  static final int RATE = 1_000;

  private static final CountWait ROWS =
      CountWait.whileItMoves(Duration.ofSeconds(90)).every(Duration.ofMillis(300));

  /** Whoever is held for longer is given up by its peers. */
  private static final int PATIENCE_SECONDS = 4;

  /** Before a stream is measured. */
  private static final int SETTLE_SECONDS = 3;

  private final MeshWay way;
  private final TripCells cells;
  private final Progress progress;
  private final Drain drain;

  MeshHarness(MeshWay way, TripCells cells, Progress progress) {
    this.way = way;
    this.cells = cells;
    this.progress = progress;
    this.drain = new Drain(way, way::state);
  }

  MeshWay way() {
    return way;
  }

  /** Starts it, and has it carry so many cells first. */
  void begin(long warmUp) throws Exception {
    progress.step("%s: warm-up with %,d cells".formatted(way.name(), warmUp));
    way.begin();
    fill(warmUp);
    awaitRows(way.produced());
  }

  void end() throws Exception {
    way.end();
  }

  /** How fast it works a backlog off. */
  Round backlog(long count) throws Exception {
    way.hold();
    long before = way.produced();
    fill(count);
    Processor.awaitQuiet(PATIENCE_SECONDS);
    way.release(MeshWay.Load.BACKLOG);
    var round = drain.measure(before, way.produced(), Watcher.NONE);
    check();
    progress.step("%s: %s".formatted(way.name(), round));
    return round;
  }

  /** How long each cell takes from the origin's Kafka until it is committed far away. */
  MeshLatency stream(int seconds) throws Exception {
    way.hold();
    way.release(MeshWay.Load.STREAM);
    produce(SETTLE_SECONDS);
    drain.await(way.produced());
    try (var landing = way.landing()) {
      var clock = Processor.watch(way.stack());
      var sent = produce(seconds);
      var load = clock.round(sent.size());
      drain.await(way.produced());
      var latency = latency(sent, landing, load);
      check();
      return latency;
    }
  }

  /** The same for cells that others write, whose times are known. */
  MeshLatency latency(Map<UUID, Long> since, MeshWay.Landing landing, Round load) throws Exception {
    var nanos = new long[since.size()];
    int i = 0;
    for (var cell : since.entrySet()) {
      nanos[i++] = landing.at(cell.getKey()) - cell.getValue();
    }
    var latency = MeshLatency.of(nanos, load);
    progress.step("%s: %s".formatted(way.name(), latency));
    return latency;
  }

  /** Waits until so many rows are far away. */
  void awaitRows(long wanted) throws SQLException, InterruptedException {
    ROWS.until(
        wanted,
        way::count,
        count ->
            new DevStackException(
                "%s: %,d of %,d rows; %s".formatted(way.name(), count, wanted, way.state())));
  }

  private void fill(long count) {
    try (var backlog = new Backlog(way, 20)) {
      for (long i = 0; i < count; i++) {
        backlog.send(cells.next());
      }
      backlog.flush();
    }
  }

  /** When each cell was handed to the producer, which does not linger. */
  private Map<UUID, Long> produce(int seconds) throws InterruptedException {
    var sent = new LinkedHashMap<UUID, Long>();
    try (var backlog = new Backlog(way, 0)) {
      long start = System.nanoTime();
      for (long i = 0; i < (long) RATE * seconds; i++) {
        Pause.until(start + i * 1_000_000_000L / RATE);
        var cell = cells.next();
        sent.put(cell.rowKey(), System.nanoTime());
        backlog.send(cell);
      }
      backlog.flush();
    }
    return sent;
  }

  /** Nothing may be missing or there twice, or the figure would be worth nothing. */
  private void check() throws SQLException {
    long rows = way.count();
    if (rows != way.produced()) {
      throw new DevStackException(
          "%s: %,d rows after %,d cells".formatted(way.name(), rows, way.produced()));
    }
  }
}
