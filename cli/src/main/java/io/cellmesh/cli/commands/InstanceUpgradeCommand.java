package io.cellmesh.cli.commands;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.instance.InstanceDatabases;
import io.cellmesh.storage.InstanceUpgrade;
import io.cellmesh.storage.InstanceUpgrade.Step;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.replication.ServerRole;
import io.cellmesh.terminal.Console;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code instance upgrade}. */
@Command(
    name = "upgrade",
    header = "Bring tables that an older version of cellmesh made to the present.",
    description =
        "On the masters of the topology, one after the other; minions follow by replication. Cells are "
            + "left as they are, and connectors may run meanwhile. What is done is left alone, so it goes on "
            + "after an interruption. Then run what `cellmesh grants` prints again, before newer connectors "
            + "start. The MySQL password is taken from the environment, as docs/security.md says.")
final class InstanceUpgradeCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private OwnServers servers;

  @Option(names = "--dry-run", description = "Only say what would be done.")
  private boolean dryRun;

  InstanceUpgradeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    var dc = servers.datacenter();
    var topology = dc.topology();
    try (var pools = new Pools(dc.operator(), InstanceDatabases.OPTIONS)) {
      var upgrade = new InstanceUpgrade(topology);
      // All are looked at before the first is changed.
      var missing = missing(topology, pools, upgrade);
      for (var cluster : topology.clusters()) {
        upgrade(cluster, missing.get(cluster), pools, upgrade);
      }
    }
    return ExitCodes.OK;
  }

  private static Map<StorageCluster, List<Step>> missing(
      Topology topology, Pools pools, InstanceUpgrade upgrade) throws SQLException {
    var missing = new LinkedHashMap<StorageCluster, List<Step>>();
    for (var cluster : topology.clusters()) {
      var master = cluster.master();
      var role = pools.ask(master, ServerRole::of);
      if (role.isReplica() || !role.open()) {
        throw OperationException.unavailable(
            "%s, which the topology calls the master of %s, %s: tables are upgraded on masters alone, so see `cellmesh promote`"
                .formatted(
                    master.address(),
                    cluster.name(),
                    role.isReplica() ? "is a minion" : "is read-only"));
      }
      missing.put(cluster, pools.ask(master, connection -> upgrade.missing(connection, cluster)));
    }
    return missing;
  }

  private void upgrade(
      StorageCluster cluster, List<Step> missing, Pools pools, InstanceUpgrade upgrade)
      throws SQLException {
    if (missing.isEmpty()) {
      console.line(cluster.name() + ": up to date");
    } else if (dryRun) {
      missing.forEach(step -> console.line(told(cluster, step) + " (not done)"));
    } else {
      pools.run(
          cluster.master(),
          connection ->
              upgrade.run(connection, cluster, step -> console.line(told(cluster, step))));
    }
  }

  private static String told(StorageCluster cluster, Step step) {
    return "%s: version %d, with %s".formatted(cluster.name(), step.version(), step.brings());
  }
}
