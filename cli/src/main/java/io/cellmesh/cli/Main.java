package io.cellmesh.cli;

import io.cellmesh.cli.commands.Cellmesh;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.terminal.Console;
import java.util.UUID;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Entry point of {@code ./cellmesh}. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(run(Console.ofProcess(), args));
  }

  /** Runs one command and says how it ended, see {@link ExitCodes}. */
  public static int run(Console console, String... args) {
    return commandLine(console).execute(args);
  }

  static CommandLine commandLine(Console console) {
    var report = new FailureReport(console);
    return new CommandLine(new Cellmesh(console), new CommandFactory(console))
        .registerConverter(UUID.class, Main::uuid)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExpandAtFiles(false)
        .setExecutionExceptionHandler(report)
        .setParameterExceptionHandler(report)
        .setUsageHelpWidth(Math.max(60, Math.min(100, console.columns())))
        .setUsageHelpLongOptionsMaxWidth(30);
  }

  private static UUID uuid(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + text + "' is not a UUID in its 36 characters");
    }
  }
}
