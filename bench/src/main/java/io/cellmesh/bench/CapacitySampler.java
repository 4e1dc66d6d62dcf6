package io.cellmesh.bench;

import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.DevStackException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks once a second how many connections there are, and threads and open files of the worker. */
final class CapacitySampler implements AutoCloseable {
  private static final long PAUSE_MILLIS = 1000;

  private final List<Connection> masters = new ArrayList<>();
  private final List<Connection> minions = new ArrayList<>();
  private final long worker;
  private final Thread thread;
  private Peak peak = new Peak(0, 0, 0, 0, 0);
  private volatile Exception failure;

  private CapacitySampler(DevStack stack) throws SQLException {
    this.worker = stack.worker(Servers.DATACENTER).pid();
    for (var cluster : stack.clusters(Servers.DATACENTER)) {
      masters.add(cluster.master().connect());
      for (var minion : cluster.minions()) {
        minions.add(minion.connect());
      }
    }
    this.thread = new Thread(this::run, "bench-capacity");
    thread.setDaemon(true);
  }

  /**
   * The most that were seen.
   *
   * @param atMasters connections to all masters together
   * @param atMinions connections to all minions together
   * @param threads of the worker's process
   * @param files that it had open
   * @param samples looks, each with a statement on every server
   */
  record Peak(long atMasters, long atMinions, long threads, long files, long samples) {
    double masterConnections(int masters) {
      return (double) atMasters / masters;
    }

    double minionConnections(int minions) {
      return (double) atMinions / minions;
    }
  }

  static CapacitySampler start(DevStack stack) throws SQLException {
    var sampler = new CapacitySampler(stack);
    sampler.thread.start();
    return sampler;
  }

  /** Entries of a directory of a process in /proc: {@code task} or {@code fd}. */
  static long entries(long pid, String directory) throws IOException {
    try (var list = Files.list(Path.of("/proc", Long.toString(pid), directory))) {
      return list.count();
    }
  }

  /** Looks no more, and returns what was seen. */
  Peak end() throws InterruptedException {
    thread.interrupt();
    thread.join();
    if (failure != null) {
      throw new DevStackException("connections, threads or files could not be counted", failure);
    }
    return peak;
  }

  @Override
  public void close() throws SQLException {
    thread.interrupt();
    Pause.untilEnded(thread);
    for (var connection : masters) {
      connection.close();
    }
    for (var connection : minions) {
      connection.close();
    }
  }

  private void run() {
    try {
      while (!Thread.interrupted()) {
        peak =
            new Peak(
                Math.max(peak.atMasters, connected(masters)),
                Math.max(peak.atMinions, connected(minions)),
                Math.max(peak.threads, entries(worker, "task")),
                Math.max(peak.files, entries(worker, "fd")),
                peak.samples + 1);
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      // That is how it ends.
      Thread.currentThread().interrupt();
    } catch (SQLException | IOException e) {
      failure = e;
    }
  }

  private static long connected(List<Connection> servers) throws SQLException {
    long all = 0;
    for (var server : servers) {
      try (var statement = server.createStatement();
          var row = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Threads_connected'")) {
        row.next();
        all += row.getLong(2);
      }
    }
    return all;
  }
}
