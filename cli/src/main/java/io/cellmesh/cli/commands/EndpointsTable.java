package io.cellmesh.cli.commands;

import io.cellmesh.deployment.Deployment;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;

/** Where a stack listens. */
final class EndpointsTable {
  private EndpointsTable() {}

  static void print(Console console, Deployment deployment) {
    var table = Table.of("", "kafka", "connect", "cluster", "shards", "master", "minions");
    for (var dc : deployment.datacenters()) {
      boolean first = true;
      for (var cluster : dc.topology().clusters()) {
        table.row(
            first ? dc.name() : "",
            first ? dc.kafka() : "",
            first ? dc.connect() : "",
            cluster.name(),
            cluster.shards(),
            cluster.master().address(),
            Texts.list(cluster.minions().stream().map(m -> m.address()).toList()));
        first = false;
      }
    }
    console.line();
    console.table(table);
  }
}
