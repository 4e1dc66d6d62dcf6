package io.cellmesh.bench;

import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.devstack.DevStackException;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Drives a connector: has it work off what waited for it while it was stopped, by a clock that runs
 * from the first cell that has come through to the last.
 */
final class ConnectorDriver {
  private static final Duration START = Duration.ofSeconds(90);
  private static final Duration STALL = Duration.ofSeconds(60);

  private final Measured measured;

  ConnectorDriver(Measured measured) {
    this.measured = measured;
  }

  /**
   * Creates the connector.
   *
   * @param state {@code STOPPED} or {@code RUNNING}
   */
  void create(String state) throws Exception {
    client().create(measured.connectorName(), measured.connector(), state);
  }

  /** Changes the connector's settings to what they are now, while it rests. */
  void change() throws Exception {
    client().put(measured.connectorName(), measured.connector());
  }

  /** Lets the connector run. */
  void run() {
    client().resume(measured.connectorName());
    client().awaitRunning(measured.connectorName(), START);
  }

  /** Ends its tasks; what they have not done keeps waiting. */
  void rest() {
    client().stop(measured.connectorName());
  }

  /**
   * Lets the connector work until so many cells have come through; it runs still afterwards.
   *
   * @param before how many have come through so far
   * @param all how many there are
   */
  Round measure(long before, long all, Watcher watcher) throws Exception {
    run();
    long first = await(before + 1);
    watcher.begins();
    var clock = Processor.watch(measured.stack());
    double steady = steady(first, all);
    await(all);
    var round = clock.round(all - first, steady);
    watcher.ends();
    return round;
  }

  /**
   * Waits for cells, and returns how many have come through.
   *
   * @param wanted so many at least
   * @throws DevStackException if nothing moves for long
   */
  long await(long wanted) throws SQLException, InterruptedException {
    return CountWait.whileItMoves(STALL)
        .until(wanted, measured::visible, visible -> stalled(visible, wanted));
  }

  /** Cells a second while all tasks have work: without the first fifth and the last. */
  private double steady(long first, long all) throws SQLException, InterruptedException {
    long fifth = (all - first) / 5;
    long begin = await(first + fifth);
    long start = System.nanoTime();
    long end = await(all - fifth);
    return (end - begin) / ((System.nanoTime() - start) / 1e9);
  }

  private DevStackException stalled(long visible, long wanted) {
    var state =
        client()
            .status(measured.connectorName())
            .map(status -> status.failure().orElse(status.toString()))
            .orElse("its connector is gone");
    return new DevStackException(
        "%s: %,d of %,d cells are visible and no more for %d s; %s"
            .formatted(measured.name(), visible, wanted, STALL.toSeconds(), state));
  }

  private ConnectClient client() {
    return measured.stack().worker(Servers.DATACENTER).client();
  }
}
