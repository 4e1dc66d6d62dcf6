package io.cellmesh.bench;

import io.cellmesh.devstack.Child;
import io.cellmesh.devstack.ConnectClient;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.Progress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * What ours and the peer have in common: each has servers of its own, which are frozen while others
 * are measured, a topic that is filled while its connector is stopped, and a clock that runs from
 * the first visible row to the last.
 */
final class Course implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(90);
  private static final Duration STALL = Duration.ofSeconds(60);
  private static final long POLL_MILLIS = 10;

  private final Contestant contestant;
  private final TripCells cells;
  private final Progress progress;
  private final String connector;
  private long produced;

  /**
   * @param seed of the cells; the same for every contestant
   */
  Course(Contestant contestant, long seed, Progress progress) {
    this.contestant = contestant;
    this.cells = new TripCells(seed);
    this.progress = progress;
    this.connector = contestant.name();
  }

  /** Creates the topic and the connector, stopped. */
  void prepare() throws Exception {
    var topic =
        new NewTopic(contestant.topic(), contestant.partitions(), (short) 1)
            .configs(Map.of("segment.bytes", Integer.toString(64 << 20)));
    try (var admin = contestant.stack().broker(Servers.DATACENTER).admin()) {
      admin.createTopics(Set.of(topic)).all().get();
    } catch (ExecutionException e) {
      throw new DevStackException("topic " + contestant.topic() + " could not be created", e);
    }
    client().create(connector, contestant.connector(), "STOPPED");
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

  /** Told when the first row is visible, and when the last is and the connector still runs. */
  interface Watcher {
    Watcher NONE =
        new Watcher() {
          @Override
          public void begins() {}

          @Override
          public void ends() {}
        };

    void begins();

    void ends();
  }

  /** Lets the connector run. */
  void run() {
    client().resume(connector);
    client().awaitRunning(connector, START);
  }

  /** Ends its tasks; what they have not done stays in the topic. */
  void rest() {
    client().stop(connector);
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
   * Waits for visible cells, and returns how many there are.
   *
   * @param wanted so many at least
   * @throws DevStackException if nothing moves for long
   */
  long await(long wanted) throws SQLException, InterruptedException {
    long seen = -1;
    long deadline = 0;
    while (true) {
      long visible = contestant.visible();
      if (visible >= wanted) {
        return visible;
      }
      if (visible != seen) {
        seen = visible;
        deadline = System.nanoTime() + STALL.toNanos();
      } else if (System.nanoTime() > deadline) {
        throw stalled(visible, wanted);
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  @Override
  public void close() {
    contestant.close();
  }

  private DevStackException stalled(long visible, long wanted) {
    var state =
        client()
            .status(connector)
            .map(status -> status.failure().orElse(status.toString()))
            .orElse("its connector is gone");
    return new DevStackException(
        "%s: %,d of %,d cells are visible and no more for %d s; %s"
            .formatted(contestant.name(), visible, wanted, STALL.toSeconds(), state));
  }

  private Round drain(long before, Watcher watcher) throws Exception {
    run();
    long first = await(before + 1);
    watcher.begins();
    var clock = Processor.watch(contestant.stack());
    double steady = steady(first);
    await(produced);
    var round = clock.round(produced - first, steady);
    watcher.ends();
    rest();
    check();
    return round;
  }

  /** Cells a second while all tasks have work: without the first fifth and the last. */
  private double steady(long first) throws SQLException, InterruptedException {
    long fifth = (produced - first) / 5;
    long begin = await(first + fifth);
    long start = System.nanoTime();
    long end = await(produced - fifth);
    return (end - begin) / ((System.nanoTime() - start) / 1e9);
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

  private ConnectClient client() {
    return contestant.stack().worker(Servers.DATACENTER).client();
  }
}
