package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trigger pause}. */
@Command(
    name = "pause",
    header = "Have a trigger called no more, until it is resumed.",
    description =
        "Its processes finish what they are at, keep their partitions and wait. It falls behind "
            + "meanwhile: mind the retention of its topic.")
final class TriggerPauseCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private TriggerTarget target;

  TriggerPauseCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    boolean changed = target.requests().pause();
    console.line(
        "trigger %s %s".formatted(target.name(), changed ? "is paused" : "was paused before"));
    return ExitCodes.OK;
  }
}
