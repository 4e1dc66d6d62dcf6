package io.cellmesh.cli.commands;

import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that says which stack of this machine is meant. */
final class StackTarget {
  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "State directory of a stack of this machine (default: the one kept last).")
  private Optional<Path> state = Optional.empty();

  boolean isGiven() {
    return state.isPresent();
  }

  StateDirectory directory() throws IOException {
    return StateDirectory.find(state);
  }
}
