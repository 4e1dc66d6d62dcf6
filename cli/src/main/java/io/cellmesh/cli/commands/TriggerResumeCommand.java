package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trigger resume}. */
@Command(
    name = "resume",
    header = "Have a trigger called again that was paused.",
    description = "Its processes go on where each partition stands.")
final class TriggerResumeCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private TriggerTarget target;

  TriggerResumeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    boolean changed = target.requests().resume();
    console.line(
        "trigger %s %s".formatted(target.name(), changed ? "is resumed" : "was not paused"));
    if (changed) {
      target.remarkIfNobodyRuns(console);
    }
    return ExitCodes.OK;
  }
}
