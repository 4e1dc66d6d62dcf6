package io.cellmesh.cli.commands;

import io.cellmesh.operations.Deployment;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say which running stack a command talks to. */
final class Target {
  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "State directory of the stack (default: the one that was kept last).")
  private Optional<Path> state = Optional.empty();

  StateDirectory directory() throws IOException {
    return StateDirectory.find(state);
  }

  Deployment open() throws IOException {
    return directory().open();
  }
}
