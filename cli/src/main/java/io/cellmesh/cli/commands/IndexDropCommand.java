package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.index.IndexRemoval;
import io.cellmesh.terminal.Console;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code index drop}. */
@Command(
    name = "drop",
    header = "Take a version of an index away: its tables, and what else only it needed.",
    description =
        "The version that serves is refused unless told otherwise. Indexes that were created together "
            + "with it go on; its topic and their connector go with the last of them. After an "
            + "interruption, run it again.")
final class IndexDropCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private IndexTarget target;

  @Parameters(paramLabel = "INDEX", description = "The index's name.")
  private String name;

  @Option(names = "--of-version", required = true, paramLabel = "N", description = "The version.")
  private int version;

  @Option(
      names = "--also-serving",
      description = "Also if queries read it, which then find no such index.")
  private boolean alsoServing;

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  @Mixin private OwnedConnectors owned;

  IndexDropCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    try (var open = target.open()) {
      var removals = new ArrayList<IndexRemoval>();
      for (var site : open.sites()) {
        owned.requirePaused(site.dc());
        removals.add(IndexRemoval.of(site, name, version, alsoServing));
      }
      if (!yes && !console.confirm("Drop version %d of %s?".formatted(version, name))) {
        console.note("nothing was changed; say --yes to drop it");
        return ExitCodes.FAILED;
      }
      for (int i = 0; i < removals.size(); i++) {
        var removal = removals.get(i);
        var dc = open.sites().get(i).dc();
        console.steps().run("%s: dropping %s".formatted(dc.name(), name), removal::run);
        owned.handOver(console, dc, removal.connector());
      }
    }
    return ExitCodes.OK;
  }
}
