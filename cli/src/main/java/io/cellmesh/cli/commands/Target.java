package io.cellmesh.cli.commands;

import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.MySqlEnvironment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which instance a command talks to. */
final class Target {
  @Option(
      names = "--deployment",
      paramLabel = "FILE",
      description =
          "The cellmesh.yaml that says where everything is (default: the one that "
              + "CELLMESH_DEPLOYMENT names, ./cellmesh.yaml, then the stack that was kept).")
  private Optional<Path> deployment = Optional.empty();

  @Mixin private StackTarget stack;

  /** What is meant, with the roles as they are now. */
  Deployment open() throws IOException {
    if (deployment.isPresent() && stack.isGiven()) {
      throw OperationException.invalid("--deployment and --state both say where everything is");
    }
    var file =
        stack.isGiven() ? stack.directory().deployment() : Deployment.find(deployment).orElse(null);
    var opened =
        file == null ? stack.directory().open() : StateDirectory.ofStack(Deployment.read(file));
    return MySqlEnvironment.ofProcess().over(opened);
  }
}
