package io.cellmesh.bench;

import io.cellmesh.devstack.DevStack;
import java.sql.SQLException;

/**
 * What the servers of a stack have counted: by a moment, or between two.
 *
 * @param masters all of them together
 * @param minions all of them together
 * @param workerCpu seconds of the Connect worker's process
 * @param seconds since some moment of the past, or between the two
 */
record StackCounters(
    ServerCounters masters, ServerCounters minions, double workerCpu, double seconds) {

  /** Looks at every server, one after the other. */
  static StackCounters of(DevStack stack) throws SQLException {
    var masters = ServerCounters.none();
    var minions = ServerCounters.none();
    for (var cluster : stack.clusters(Servers.DATACENTER)) {
      masters = masters.plus(ServerCounters.of(cluster.master()));
      for (var minion : cluster.minions()) {
        minions = minions.plus(ServerCounters.of(minion));
      }
    }
    double cpu = Processor.seconds(stack.worker(Servers.DATACENTER).pid());
    return new StackCounters(masters, minions, cpu, System.nanoTime() / 1e9);
  }

  /** What was counted since an earlier look. */
  StackCounters since(StackCounters before) {
    return new StackCounters(
        masters.since(before.masters),
        minions.since(before.minions),
        workerCpu - before.workerCpu,
        seconds - before.seconds);
  }
}
