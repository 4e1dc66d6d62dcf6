package io.cellmesh.cli.commands;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import io.cellmesh.stack.StackMachines;
import io.cellmesh.stack.StackTopology;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which storage cluster's servers get other roles. */
final class ClusterTarget {
  @Mixin private ConnectTarget connect;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      required = true,
      description = "Storage cluster.")
  private String cluster;

  @Option(
      names = "--replication-user",
      paramLabel = "NAME",
      description =
          "With --topology: the MySQL user with which a minion follows its master (default: that of"
              + " --user); its password is taken from CELLMESH_REPLICATION_PASSWORD.")
  private Optional<String> replication = Optional.empty();

  /** The storage cluster's name; whether the topology has it is not looked at. */
  String cluster() {
    return cluster;
  }

  /**
   * The data centre, whose topology is rewritten and kept as FILE.before.
   *
   * @throws OperationException if servers of one's own are named, and not as they must be
   */
  DataCenter site() throws IOException {
    return connect.site(Optional.empty(), replication);
  }

  /** As {@link OwnServers#others}. */
  List<DataCenter> others() throws IOException {
    return connect.others();
  }

  /** The machines of a stack of this tool; empty for servers of one's own. */
  Optional<StackMachines> stack() throws IOException {
    return site().store() instanceof StackTopology stack
        ? Optional.of(new StackMachines(stack.stateDir(), stack.datacenter()))
        : Optional.empty();
  }
}
