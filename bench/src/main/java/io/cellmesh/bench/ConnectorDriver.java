package io.cellmesh.bench;

import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.devstack.DevStackException;
import java.sql.SQLException;
import java.time.Duration;

/** Drives a connector: has it work off what waited for it while it was stopped. */
final class ConnectorDriver {
  private static final Duration START = Duration.ofSeconds(90);

  private final Measured measured;
  private final Drain drain;

  ConnectorDriver(Measured measured) {
    this.measured = measured;
    this.drain = new Drain(measured, this::state);
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
    return drain.measure(before, all, watcher);
  }

  /**
   * Waits for cells, and returns how many have come through.
   *
   * @param wanted so many at least
   * @throws DevStackException if nothing moves for long
   */
  long await(long wanted) throws SQLException, InterruptedException {
    return drain.await(wanted);
  }

  String state() {
    return client()
        .status(measured.connectorName())
        .map(status -> status.failure().orElse(status.toString()))
        .orElse("its connector is gone");
  }

  private ConnectClient client() {
    return measured.stack().worker(Servers.DATACENTER).client();
  }
}
