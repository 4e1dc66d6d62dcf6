package io.cellmesh.cli.minion;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.devstack.MySqlServer;
import java.time.Duration;

/** A mysqld of a stack of this tool. */
final class StackMachine implements Machine {
  private static final Duration STOPPING = Duration.ofSeconds(30);
  private static final long POLL_MILLIS = 50;

  private final MySqlServer mysqld;

  StackMachine(MySqlServer mysqld) {
    this.mysqld = mysqld;
  }

  @Override
  public void start() {
    if (!mysqld.isAlive()) {
      mysqld.start();
      mysqld.awaitReady();
    }
  }

  @Override
  public Server server() {
    return mysqld.server();
  }

  @Override
  public void startAfterClone() {
    long end = System.nanoTime() + STOPPING.toNanos();
    while (mysqld.isAlive() && System.nanoTime() - end < 0) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    start();
  }

  @Override
  public void stop() {
    mysqld.stop();
  }
}
