package io.cellmesh.worker.read;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/**
 * In which order the servers of a cluster are asked, until one answers.
 *
 * @param first those that the read is meant for
 * @param then those that stand in for them
 */
record ReadPlan(List<Server> first, List<Server> then) {
  ReadPlan {
    first = List.copyOf(first);
    then = List.copyOf(then);
  }

  /**
   * Plans a read.
   *
   * @param healthy whether a server is not left alone just now; others come last
   * @param waits whether a server may have to be waited for, since it must have a position: then a
   *     minion is preferred to the master, which is always the first to have it
   * @param turn which spreads reads over servers of equal rank
   */
  static ReadPlan of(
      ReadFrom from, StorageCluster cluster, Predicate<Server> healthy, boolean waits, int turn) {
    var master = List.of(cluster.master());
    var minions = byHealth(rotated(cluster.minions(), turn), healthy);
    if (minions.isEmpty()) {
      return new ReadPlan(master, List.of());
    }
    return switch (from) {
      case MASTER -> new ReadPlan(master, minions);
      case MINION -> new ReadPlan(minions, master);
      case ANY ->
          waits
              ? new ReadPlan(minions, master)
              : new ReadPlan(byHealth(rotated(cluster.servers(), turn), healthy), List.of());
    };
  }

  /** All of them, in their order. */
  List<Server> all() {
    var all = new ArrayList<>(first);
    all.addAll(then);
    return all;
  }

  private static List<Server> rotated(List<Server> servers, int turn) {
    var rotated = new ArrayList<>(servers);
    Collections.rotate(rotated, turn);
    return rotated;
  }

  private static List<Server> byHealth(List<Server> servers, Predicate<Server> healthy) {
    var sorted = new ArrayList<>(servers.stream().filter(healthy).toList());
    servers.stream().filter(healthy.negate()).forEach(sorted::add);
    return sorted;
  }
}
