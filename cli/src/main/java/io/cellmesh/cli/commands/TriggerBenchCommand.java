package io.cellmesh.cli.commands;

import io.cellmesh.bench.CallbackBench;
import io.cellmesh.bench.CallbackPlan;
import io.cellmesh.bench.report.TriggerBenchReport;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.terminal.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench trigger}. */
@Command(
    name = "trigger",
    header = "Triggers beside a plain consumer and Confluent's Parallel Consumer.",
    description =
        "Starts a broker, writes a log of 64 shards over 16 partitions, and times how fast callbacks "
            + "are made with all of it: everybody in a JVM of its own that has read the log once "
            + "before, round by round in turn. Prints the median of the rounds. Then callbacks that "
            + "wait for 5 ms, with one thread and with 64; and the time from the producer to the "
            + "callback, of a trigger and a plain consumer that read at the same time.")
final class TriggerBenchCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--cells",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Cells of the log (default: ${DEFAULT-VALUE}).")
  private long cells;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Measured rounds of each side (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "20",
      description =
          "For how long waiting callbacks and the latency are measured (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--profile",
      description =
          "Run two more rounds under Java's flight recorder, and say where the time went.")
  private boolean profile;

  @Mixin private JsonLineOption json;

  TriggerBenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    var plan = new CallbackPlan(cells, rounds, seconds, profile);
    var figures = new CallbackBench(plan, console::note).run();
    new TriggerBenchReport(console, figures).print();
    json.print(console, figures.document());
    return ExitCodes.OK;
  }
}
