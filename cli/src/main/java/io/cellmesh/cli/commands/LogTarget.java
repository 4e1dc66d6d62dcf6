package io.cellmesh.cli.commands;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say whose log is meant. */
final class LogTarget {
  @Mixin private ConnectTarget connect;

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      description =
          "With --topology: Kafka; without it progress is told by the stored offsets alone.")
  private Optional<String> kafka = Optional.empty();

  /**
   * @throws OperationException if servers of one's own are named, and not as they must be
   */
  DataCenter site() throws IOException {
    return connect.site(kafka, Optional.empty());
  }
}
