package io.cellmesh.operations.minion;

import io.cellmesh.cell.Topology.Server;

/** Where the mysqld of a minion runs. */
public interface ServerHost {
  Server server();

  /** Starts it, if it does not run and is ours to start. */
  void start();

  /**
   * Sees to it that it runs again after a clone, which ends with its stop where nobody supervises
   * it. Whether it answers is looked at afterwards.
   */
  void startAfterClone();

  /** It is no minion any more. */
  void stop();

  /** A machine of the user's own, whose supervisor starts and stops it. */
  static ServerHost of(Server server) {
    return new ServerHost() {
      @Override
      public Server server() {
        return server;
      }

      @Override
      public void start() {
        // Its owner does.
      }

      @Override
      public void startAfterClone() {
        // Whoever supervises it does; else the message says what to do.
      }

      @Override
      public void stop() {
        // It may serve other purposes.
      }
    };
  }
}
