package io.cellmesh.stack;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.operations.minion.ServerHost;
import java.time.Duration;
import java.util.Optional;

/** A mysqld of a stack of this tool. */
final class StackMachine implements ServerHost {
  private static final Duration STOPPING = Duration.ofSeconds(30);

  private final MySqlServer mysqld;
  private final Server server;

  /**
   * @param domain its failure domain, if it is not to be that of its plan
   */
  StackMachine(MySqlServer mysqld, Optional<String> domain) {
    this.mysqld = mysqld;
    var planned = mysqld.server();
    this.server = new Server(planned.host(), planned.port(), domain.orElse(planned.domain()));
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
    return server;
  }

  @Override
  public void startAfterClone() {
    Waiting.within(STOPPING, () -> !mysqld.isAlive());
    start();
  }

  @Override
  public void stop() {
    mysqld.stop();
  }
}
