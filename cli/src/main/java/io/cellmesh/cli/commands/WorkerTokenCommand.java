package io.cellmesh.cli.commands;

import io.cellmesh.terminal.Console;
import io.cellmesh.worker.security.NewToken;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code worker token}. */
@Command(
    name = "token",
    header = "Draw a token for somebody who calls workers.",
    description = {
      "Prints the token, which is kept nowhere and can't be shown again, and on stderr the line for "
          + "the list `tokens:` of the workers' tokens file, which has its hash alone."
    })
final class WorkerTokenCommand implements Runnable {
  private final Console console;

  @Parameters(paramLabel = "NAME", description = "Whose it is, for the workers' logs.")
  private String name;

  @Option(
      names = "--rights",
      required = true,
      paramLabel = "INSTANCE:RIGHT,...",
      description = "read, write, indexes or status; * is every instance. Once an instance.")
  private List<String> rights;

  WorkerTokenCommand(Console console) {
    this.console = console;
  }

  @Override
  public void run() {
    var drawn = NewToken.draw(name, rights);
    console.line(drawn.token());
    console.note(drawn.entry());
  }
}
