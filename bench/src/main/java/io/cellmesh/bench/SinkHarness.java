package io.cellmesh.bench;

import io.cellmesh.devstack.Child;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.Progress;
import java.sql.SQLException;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Takes a sink through its rounds, ours and the peer in the same way: each has servers of its own,
 * which are frozen while others are measured, a topic that is filled while its connector is
 * stopped, and a clock that runs from the first visible row to the last.
 */
final class SinkHarness implements AutoCloseable {
  private final Contestant contestant;
  private final TripCells cells;
  private final Progress progress;
  private final ConnectorDriver driver;
  private long produced;

  /**
   * @param seed of the cells; the same for every contestant
   */
  SinkHarness(Contestant contestant, long seed, Progress progress) {
    this.contestant = contestant;
    this.cells = new TripCells(seed);
    this.progress = progress;
    this.driver = new ConnectorDriver(contestant);
  }

  /** Creates the topic and the connector, stopped. */
  void prepare() throws Exception {
    var topic =
        new NewTopic(contestant.topic(), contestant.partitions(), (short) 1)
            .configs(Map.of("segment.bytes", Integer.toString(64 << 20)));
    contestant.stack().broker(Servers.DATACENTER).create(topic);
    driver.create("STOPPED");
  }

  /** Fills the topic with so many cells and waits until the connector has made them visible. */
  void warmUp(long count) throws Exception {
    progress.step("%s: warm-up with %,d cells".formatted(contestant.name(), count));
    fill(count);
    drain(produced - count, Watcher.NONE);
  }

  /** The same, measured. */
  Round measure(long count) throws Exception {
    return measure(count, Watcher.NONE);
  }

  /** The same, while somebody else looks at it, too. */
  Round measure(long count, Watcher watcher) throws Exception {
    fill(count);
    Processor.awaitQuiet();
    var round = drain(produced - count, watcher);
    progress.step("%s: %s".formatted(contestant.name(), round));
    return round;
  }

  /** Lets the connector run. */
  void run() {
    driver.run();
  }

  /** Ends its tasks; what they have not done stays in the topic. */
  void rest() {
    driver.rest();
  }

  /** Leaves the processors to others; the connector must rest. */
  void freeze() {
    contestant.stack().children().forEach(Child::pause);
  }

  /** After {@link #freeze}: returns when every part answers again. */
  void thaw() {
    contestant.stack().children().forEach(Child::resume);
    contestant.stack().children().forEach(Child::awaitReady);
  }

  Contestant contestant() {
    return contestant;
  }

  /** A new cell, which the caller produces. */
  BenchCell next() {
    produced++;
    return cells.next();
  }

  /** How many cells there have been. */
  long produced() {
    return produced;
  }

  /**
   * Waits for visible cells.
   *
   * @param wanted so many at least
   * @throws DevStackException if nothing moves for long
   */
  void await(long wanted) throws SQLException, InterruptedException {
    driver.await(wanted);
  }

  @Override
  public void close() {
    contestant.close();
  }

  private Round drain(long before, Watcher watcher) throws Exception {
    var round = driver.measure(before, produced, watcher);
    rest();
    check();
    return round;
  }

  private void fill(long count) {
    try (var backlog = new Backlog(contestant, 20)) {
      for (long i = 0; i < count; i++) {
        backlog.send(next());
      }
      backlog.flush();
    }
  }

  /** Nothing may be missing, or the figure would be worth nothing. */
  private void check() throws SQLException {
    long rows = contestant.count();
    if (rows != produced) {
      throw new DevStackException(
          "%s: %,d rows after %,d cells".formatted(contestant.name(), rows, produced));
    }
  }
}
