package io.cellmesh.cli.commands;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.MySqlEnvironment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which instances a process serves, each in one data centre. */
final class DataCenterTargets {
  @Option(
      names = "--deployment",
      paramLabel = "FILE",
      description =
          "The cellmesh.yaml that says where everything is; once for each instance (default: the one "
              + "that CELLMESH_DEPLOYMENT names, ./cellmesh.yaml, then the stack that was kept).")
  private List<Path> deployments = List.of();

  @Option(
      names = "--dc",
      paramLabel = "NAME",
      description = "Data centre (default: the first of each deployment).")
  private Optional<String> name = Optional.empty();

  @Mixin private StackTarget stack;

  /** Those that are meant, with the roles as they are now, each of its deployment. */
  Map<DataCenter, Deployment> open() throws IOException {
    if (!deployments.isEmpty() && stack.isGiven()) {
      throw OperationException.invalid("--deployment and --state both say where everything is");
    }
    var datacenters = new LinkedHashMap<DataCenter, Deployment>();
    for (var file : files()) {
      var opened = MySqlEnvironment.ofProcess().over(StateDirectory.ofStack(Deployment.read(file)));
      datacenters.put(opened.datacenter(name), opened);
    }
    return datacenters;
  }

  private List<Path> files() throws IOException {
    if (!deployments.isEmpty()) {
      return deployments;
    }
    var found = stack.isGiven() ? Optional.<Path>empty() : Deployment.find(Optional.empty());
    return List.of(found.isPresent() ? found.get() : stack.directory().deployment());
  }
}
