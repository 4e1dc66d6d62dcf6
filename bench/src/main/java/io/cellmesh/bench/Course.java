package io.cellmesh.bench;

import io.cellmesh.devstack.Child;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.Progress;
import java.sql.SQLException;
import java.time.Duration;
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
  private static final Duration STALL = Duration.ofSeconds(90);
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
    try (var admin = contestant.stack().broker("dc1").admin()) {
      admin
          .createTopics(
              Set.of(new NewTopic(contestant.topic(), contestant.partitions(), (short) 1)))
          .all()
          .get();
    } catch (ExecutionException e) {
      throw new DevStackException("topic " + contestant.topic() + " could not be created", e);
    }
    contestant.stack().worker("dc1").client().create(connector, contestant.connector(), "STOPPED");
  }

  /** Fills the topic with so many cells and waits until the connector has made them visible. */
  void warmUp(long count) throws Exception {
    progress.step("%s: warm-up with %,d cells".formatted(contestant.name(), count));
    drain(count, false);
  }

  /** The same, measured. */
  Round measure(long count) throws Exception {
    var round = drain(count, true);
    progress.step(
        "%s: %,.0f cells/s (%,d in %.1f s)"
            .formatted(contestant.name(), round.cellsPerSecond(), round.cells(), round.seconds()));
    return round;
  }

  /** Leaves the processors to others; the connector must be stopped. */
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

  @Override
  public void close() {
    contestant.close();
  }

  private Round drain(long count, boolean quiet) throws Exception {
    long before = produced;
    fill(count);
    if (quiet) {
      Processor.awaitQuiet();
    }
    var client = contestant.stack().worker("dc1").client();
    var processor = Processor.watch(contestant.stack().children());
    client.resume(connector);
    client.awaitRunning(connector, START);
    long first = await(before + 1);
    long start = System.nanoTime();
    var measured = Processor.watch(contestant.stack().children());
    await(produced);
    long end = System.nanoTime();
    var round =
        new Round(produced - first, (end - start) / 1e9, measured.used(), measured.others());
    client.stop(connector);
    check();
    return round;
  }

  private void fill(long count) {
    try (var backlog = new Backlog(contestant, 20)) {
      for (long i = 0; i < count; i++) {
        backlog.send(cells.next());
      }
      backlog.flush();
    }
    produced += count;
  }

  /** Returns how many are visible, at least so many. */
  private long await(long wanted) throws SQLException, InterruptedException {
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
        throw new DevStackException(
            "%s: %,d of %,d cells are visible and no more for %d s; its worker's log is %s"
                .formatted(
                    contestant.name(),
                    visible,
                    wanted,
                    STALL.toSeconds(),
                    contestant.stack().worker("dc1").log()));
      }
      Thread.sleep(POLL_MILLIS);
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
