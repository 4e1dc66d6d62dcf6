package io.cellmesh.cli.commands;

import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Texts;
import io.cellmesh.topics.load.CellProducer;
import io.cellmesh.topics.load.Loader;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code load}: many cells. */
@Command(
    name = "load",
    header = "Load trips: made up from a seed, or from a CSV file.",
    description =
        "Made-up trips have BASE, STATUS, NOTES and FARE_ADJUSTMENT cells; the same seed gives the "
            + "same cells. A CSV file needs a header, in which the second fare becomes fare_2; numbers stay "
            + "exact, what is empty becomes null. Returns once Kafka has accepted every cell. Loading the same again adds nothing.")
final class LoadCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private DataCenterTarget target;
  @Mixin private LoadOptions load;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "0",
      description = "Cells a second (default: as fast as possible).")
  private double rate;

  @Option(names = "--json", description = "Print a JSON document.")
  private boolean json;

  LoadCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InvalidCellException, InterruptedException {
    var deployment = target.open();
    var dc = target.of(deployment);
    var result = load(dc, deployment);
    if (json) {
      console.json(document(result));
    } else {
      console.line(
          "%s of %s accepted in %s, %s cells a second"
              .formatted(
                  Texts.count(result.cells(), "cell"),
                  Texts.count(result.trips(), "trip"),
                  Texts.seconds(result.took()),
                  Texts.count(Math.round(result.cellsPerSecond()))));
    }
    return ExitCodes.OK;
  }

  private Loader.Result load(DataCenter dc, Deployment deployment)
      throws IOException, InvalidCellException, InterruptedException {
    try (var source = load.open(console::note);
        var producer = new CellProducer(dc.kafka(), deployment.topics());
        var bar = console.progress("loading cells", load.expectedCells())) {
      return new Loader(producer, rate).load(source, bar::set);
    }
  }

  private static Map<String, Object> document(Loader.Result result) {
    return Map.of(
        "trips",
        result.trips(),
        "cells",
        result.cells(),
        "seconds",
        result.took().toMillis() / 1e3);
  }
}
