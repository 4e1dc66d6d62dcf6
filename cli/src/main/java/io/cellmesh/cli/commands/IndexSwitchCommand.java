package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.index.IndexSwitch;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code index switch}. */
@Command(
    name = "switch",
    header = "Have queries read another version of an index.",
    description =
        "Both versions are complete and kept fresh, before and after, so no query fails or finds a "
            + "part; readers learn of it within a second. The same command turns back. After an "
            + "interruption, run it again.")
final class IndexSwitchCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private IndexTarget target;

  @Parameters(paramLabel = "INDEX", description = "The index's name.")
  private String name;

  @Option(names = "--to", required = true, paramLabel = "N", description = "The version.")
  private int version;

  IndexSwitchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, SQLException, InterruptedException {
    try (var open = target.open()) {
      for (var site : open.sites()) {
        var before = IndexSwitch.run(site, name, version);
        console.line(
            "%s: version %d of %s serves; before: %d"
                .formatted(site.dc().name(), version, name, before.version()));
      }
    }
    return ExitCodes.OK;
  }
}
