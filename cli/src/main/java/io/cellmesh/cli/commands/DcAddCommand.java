package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.mesh.joining.Joining;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.MeshReport;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dc add}. */
@Command(
    name = "add",
    header = "Let a data centre join, with all cells that the others have.",
    description = {
      "The deployment names it already, beside its peers. Compares the shard maps, makes the topics,"
          + " databases and connectors that it lacks, reaches every part of all data centres, and says"
          + " which herb-replicators are to be started. Its links then read the logs of its peers from"
          + " the beginning. Where one no longer has that, its cells are written into a seed from the"
          + " peer's tables, which is read first and deleted in the end.",
      "",
      "One that takes the name of a data centre that was removed gets back what that had written, as far"
          + " as the others have it, before anything else is written there.",
      "",
      "Ends once it is proved that all agree, however long that takes. Interrupted at any moment, or"
          + " after an error, the same command goes on and says what it finds done."
    })
final class DcAddCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private Target target;

  @Parameters(paramLabel = "NAME", description = "The data centre, which the deployment names.")
  private String name;

  @Mixin private TableRate rate;

  @Option(
      names = "--replication-factor",
      paramLabel = "N",
      description = "Of the topics that are made (default: the brokers' own).")
  private Optional<Short> replication = Optional.empty();

  DcAddCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    var deployment = target.open();
    var settings =
        new Joining.Settings(
            replication.orElse((short) -1),
            rate.get(),
            StateDirectory.home().resolve("connectors"));
    var joining = deployment.datacenter(Optional.of(name));
    var proofs = new Joining(deployment, joining, settings, console.steps(), console::line).run();
    new MeshReport(proofs).print(console, false);
    console.line("%s has joined".formatted(name));
    return ExitCodes.OK;
  }
}
