package io.cellmesh.cli.commands;

import io.cellmesh.operations.OperationException;
import picocli.CommandLine.Option;

/** How fast a data centre's tables are read for another one. */
final class TableRate {
  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "10000",
      description =
          "Cells a second that are read from a peer's tables at most; 0 for as fast as possible"
              + " (default: 10000).")
  private double rate;

  double get() {
    if (rate < 0) {
      throw OperationException.invalid("--rate: %s is below 0".formatted(rate));
    }
    return rate;
  }
}
