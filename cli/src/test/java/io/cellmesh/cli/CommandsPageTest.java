package io.cellmesh.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.stack.StateDirectory;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** docs/commands.md is what the commands say about themselves. */
class CommandsPageTest {
  private static final int WIDTH = 100;

  @Test
  void thePageIsWhatTheCommandsSay() throws IOException {
    var fresh = Path.of("target", "commands.md").toAbsolutePath();
    Files.createDirectories(fresh.getParent());
    Files.writeString(fresh, page());

    assertThat(StateDirectory.home().resolve("docs").resolve("commands.md"))
        .as("stale; copy " + fresh + " over it")
        .hasSameTextualContentAs(fresh);
  }

  private static String page() {
    var root = Main.commandLine(Console.ofProcess());
    var page = new StringBuilder();
    page.append("# Commands\n\n");
    page.append(
        """
        `./cellmesh` builds what is missing or stale and then runs one of these. Results go to standard output, progress and
        errors to standard error. With `--json` a result is made for machines. `--debug` shows stack traces
        and the libraries' warnings, these as lines of JSON with `CELLMESH_LOG_FORMAT=json` in the environment.

        | exit code | means |
        |---|---|
        """);
    root.getCommandSpec()
        .usageMessage()
        .exitCodeList()
        .forEach((code, meaning) -> page.append("| %s | %s |\n".formatted(code, meaning)));
    root.getSubcommands().values().forEach(command -> append(command, page));
    return page.toString();
  }

  private static void append(CommandLine command, StringBuilder page) {
    if (!command.getSubcommands().isEmpty()) {
      command.getSubcommands().values().forEach(c -> append(c, page));
      return;
    }
    command.setUsageHelpWidth(WIDTH);
    var help = command.getUsageMessage();
    help = help.substring(0, help.indexOf("\nExit codes:"));
    page.append("\n## ").append(command.getCommandSpec().qualifiedName()).append("\n\n```\n");
    help.lines().map(String::stripTrailing).forEach(l -> page.append(l).append('\n'));
    page.append("```\n");
  }
}
