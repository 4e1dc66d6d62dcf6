package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Texts;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code down}: the end of a kept stack. */
@Command(
    name = "down",
    header = "Stop a stack that was kept.",
    description = "Its data and logs stay in the state directory until a stack starts there again.")
final class DownCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private StackTarget target;

  DownCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    var directory = target.directory();
    int stopped = DevStack.down(directory.path());
    directory.forget();
    console.line(Texts.count(stopped, "process", "processes") + " stopped in " + directory.path());
    return ExitCodes.OK;
  }
}
