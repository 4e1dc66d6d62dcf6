package io.cellmesh.cli.commands;

import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.operations.ClusterSite;
import io.cellmesh.operations.MySqlEnvironment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.stack.StackMachines;
import io.cellmesh.stack.StackTopology;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options that say which storage cluster's servers get other roles, of a stack or of servers of
 * one's own.
 */
final class ClusterTarget {
  @Mixin private DataCenterTarget stack;
  @Mixin private OwnServers servers;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      required = true,
      description = "Storage cluster.")
  private String cluster;

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description =
          "The topology.yaml, for servers of your own; with --connect, in place of --state. It is "
              + "rewritten, and kept as FILE.before.")
  private Optional<Path> topology = Optional.empty();

  @Option(
      names = "--user",
      paramLabel = "NAME",
      defaultValue = "root",
      description =
          "A MySQL user who may change the roles of servers (default: root); its password is taken "
              + "from the environment, as docs/security.md says.")
  private String user;

  @Option(
      names = "--replication-user",
      paramLabel = "NAME",
      description =
          "The MySQL user with which a minion follows its master (default: that of --user); its "
              + "password is taken from CELLMESH_REPLICATION_PASSWORD.")
  private Optional<String> replication = Optional.empty();

  /** The storage cluster's name; whether the topology has it is not looked at. */
  String cluster() {
    return cluster;
  }

  /**
   * @throws OperationException if servers of one's own are named, and not as they must be
   */
  ClusterSite site() throws IOException {
    var own = servers.with(topology);
    if (own.isEmpty()) {
      var directory = stack.directory();
      var deployment = directory.open();
      var dc = stack.of(deployment);
      return new ClusterSite(
          new StackTopology(directory.path(), dc.name()),
          URI.create(dc.connect()),
          deployment.credentials(),
          deployment.credentials());
    }
    var environment = MySqlEnvironment.ofProcess();
    var home = TopologyStore.ofFile(own.get().topology());
    var servers = home.read();
    var administrator = environment.credentials(user, servers);
    return new ClusterSite(
        home,
        own.get().connect(),
        administrator,
        replication.map(name -> environment.replication(name, servers)).orElse(administrator));
  }

  /** The machines of a stack of this tool; empty for servers of one's own. */
  Optional<StackMachines> stack() throws IOException {
    if (topology.isPresent()) {
      return Optional.empty();
    }
    var directory = stack.directory();
    return Optional.of(new StackMachines(directory.path(), stack.of(directory.open()).name()));
  }
}
