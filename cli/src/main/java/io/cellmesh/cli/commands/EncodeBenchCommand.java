package io.cellmesh.cli.commands;

import io.cellmesh.bench.EncodeBench;
import io.cellmesh.bench.EncodeFigures;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.cli.terminal.Console;
import io.cellmesh.cli.terminal.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench encode}. */
@Command(
    name = "encode",
    header = "What a record costs on its way to a stored cell and back.",
    description =
        "Without servers, in one thread and about fifteen seconds: processor time, heap and stored "
            + "size of each stage, over made-up trips, beside zlib's own levels on the same bodies.")
final class EncodeBenchCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private JsonLineOption json;

  EncodeBenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    var figures = new EncodeBench(console::note).run();
    print(figures);
    json.print(console, figures.document());
    return ExitCodes.OK;
  }

  private void print(EncodeFigures figures) {
    console.line("machine   " + figures.machine());
    console.line("versions  Java " + figures.java());
    console.line("records   " + BenchText.count(figures.record()) + " bytes each");
    var table = Table.of("", "ns>", "bytes allocated>", "bytes stored>");
    for (var stage : figures.stages()) {
      table.row(
          stage.name(),
          BenchText.count(stage.nanos()),
          BenchText.count(stage.allocated()),
          stage.stored() > 0 ? BenchText.count(stage.stored()) : "");
    }
    console.table(table);
  }
}
