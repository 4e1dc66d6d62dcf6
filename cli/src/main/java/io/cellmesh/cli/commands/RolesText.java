package io.cellmesh.cli.commands;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.terminal.Texts;

/** How it reads who is who in a storage cluster. */
final class RolesText {
  private RolesText() {}

  static String line(StorageCluster cluster) {
    return "%s: master %s, %s"
        .formatted(cluster.name(), cluster.master().address(), minions(cluster));
  }

  static String lineWithEpoch(StorageCluster cluster) {
    return "%s: master %s, epoch %d, %s"
        .formatted(cluster.name(), cluster.master().address(), cluster.epoch(), minions(cluster));
  }

  private static String minions(StorageCluster cluster) {
    return cluster.minions().isEmpty()
        ? "no minion"
        : "minions " + Texts.list(cluster.minions().stream().map(Server::address).toList());
  }
}
