package io.cellmesh.cli.commands;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.strimzi.Reconciliation;
import io.cellmesh.terminal.Console;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * The option of a command that halts connectors and runs them again, which Strimzi must not see
 * where it owns them.
 */
final class PausedConnectors {
  @Option(
      names = "--reconciliation-paused",
      description =
          "Where Strimzi owns the connectors: say that it leaves them alone for now. Without this the "
              + "command changes nothing, and prints what makes Strimzi do so.")
  private boolean paused;

  /**
   * @throws OperationException if Strimzi owns the connectors and nobody says that it is paused
   */
  void requirePaused(DataCenter dc) {
    if (dc.strimzi().isPresent() && !paused) {
      throw OperationException.refused(
          "Strimzi owns the connectors of %s and would take back what this changes of them. Let it pause, then run this again with --reconciliation-paused:%n%s"
              .formatted(dc.name(), indented(new Reconciliation(dc.strimzi().get()).pause())));
    }
  }

  /** Says what ends the pause, once Connect has what the resources say. */
  void letGoOn(Console console, DataCenter dc) {
    dc.strimzi()
        .ifPresent(
            cluster -> {
              console.note("The resources still say what Connect has, so Strimzi may go on:");
              console.note(indented(new Reconciliation(cluster).goOn()));
            });
  }

  static String indented(List<String> commands) {
    return "  " + String.join("\n  ", commands);
  }
}
