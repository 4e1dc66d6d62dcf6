package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.mesh.LinkPlace;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.MeshReport;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code dc add}. */
@Command(
    name = "add",
    header = "Let a data centre join, with all cells that the others have.",
    description = "The deployment has it already.")
final class DcAddCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private Target target;

  @Parameters(paramLabel = "NAME", description = "The data centre, which the deployment names.")
  private String name;

  DcAddCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    var deployment = target.open();
    deployment.datacenter(Optional.of(name));
    if (deployment.datacenters().size() < 2) {
      throw OperationException.invalid(
          "%s has one data centre, so there is nobody to join".formatted(deployment.source()));
    }
    boolean good = MeshReport.printPlaces(console, LinkPlace.all(deployment, console::note));
    return good ? ExitCodes.OK : ExitCodes.FAILED;
  }
}
