package io.cellmesh.cli.commands;

import io.cellmesh.bench.EncodeBench;
import io.cellmesh.bench.report.EncodeBenchReport;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.terminal.Console;
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
    new EncodeBenchReport(console, figures).print();
    json.print(console, figures.document());
    return ExitCodes.OK;
  }
}
