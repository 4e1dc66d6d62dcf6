package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.stack.demo.DemoReport;
import io.cellmesh.stack.demo.DemoRun;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Style;
import io.cellmesh.topics.load.IndexGuess;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code demo}: everything once, before one's eyes. */
@Command(
    name = "demo",
    header = "See the whole system work: start it, load trips, look around, verify.",
    description =
        "Starts a stack as `up` does, loads trips into the first data centre, shows where their "
            + "cells went, and proves with `verify` that all of them arrived. Ends with 0 only if "
            + "they did. Without --keep everything is stopped and deleted at the end.")
final class DemoCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private LoadOptions load;

  @Option(
      names = "--dcs",
      paramLabel = "N",
      defaultValue = "2",
      description = "Data centres (default: 2).")
  private int datacenters;

  @Option(names = "--keep", description = "Leave the stack running, for the other commands.")
  private boolean keep;

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "Where it keeps its files (default: a temporary directory, or with --keep the usual one).")
  private Optional<Path> state = Optional.empty();

  DemoCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    long start = System.nanoTime();
    UpCommand.checkDatacenters(datacenters);
    var options = StackOptions.of(datacenters, indexes()).withHttp();
    var directory =
        state.or(() -> keep ? Optional.of(StateDirectory.usual().path()) : Optional.empty());
    console.line(
        console.style(Style.BOLD, "Cellmesh") + " on this machine, every part a real process");
    try (var stack = Stack.start(directory.map(options::in).orElse(options), console.steps());
        var cells = load.openForDemo(console::note)) {
      var figures = new DemoRun(console, stack, start).run(cells, load.expectedCells());
      new DemoReport(console, QueryCommand::table, stack.deployment(), figures)
          .print(keep, stack.directory());
      if (keep) {
        stack.keep();
      }
      return figures.verification().passed() ? ExitCodes.OK : ExitCodes.FAILED;
    }
  }

  /** The article's index over made-up trips; a guessed one over a file. */
  private List<IndexFile> indexes() throws Exception {
    if (load.input().isEmpty()) {
      return UpCommand.indexes(List.of());
    }
    return IndexGuess.of(StackOptions.INSTANCE, load.sample()).map(IndexFile::of).stream().toList();
  }
}
