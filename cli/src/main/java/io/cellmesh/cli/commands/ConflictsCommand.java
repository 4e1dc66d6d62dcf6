package io.cellmesh.cli.commands;

import io.cellmesh.operations.conflict.Conflicts;
import io.cellmesh.terminal.ConflictReport;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code conflicts}: cells whose key stood with another body already. */
@Command(
    name = "conflicts",
    header = "See which cells were refused because another body stands under their key.",
    synopsisSubcommandLabel = "COMMAND")
record ConflictsCommand(Console console) {
  @Command(name = "ls", description = "List them: first those not told yet, then the newest told.")
  void ls(
      @Mixin Target target,
      @Option(names = "--dc", description = "Only of this data centre.") Optional<String> dc,
      @Option(names = "--kind", description = "Only own, or only mesh.") Optional<String> kind,
      @Option(names = "--since", description = "Only from such a time: 2026-01-31T12:00:00Z.")
          Optional<String> since,
      @Option(names = "--after", description = "Where a page ended.") Optional<String> after,
      @Option(names = "--limit", defaultValue = "100", description = "Most, to 10000.") int limit,
      @Option(names = "--json", description = "Print a JSON document.") boolean json)
      throws IOException {
    try (var conflicts = Conflicts.of(target.open(), dc)) {
      var page = conflicts.page(Conflicts.Query.of(kind, since, after, limit));
      new ConflictReport(console, json).print(page);
      page.requireComplete();
    }
  }

  @Command(name = "show", description = "Show one, and its refused record if that can be found.")
  void show(
      @Mixin Target target,
      @Parameters(paramLabel = "IDENTITY", description = "As ls has it.") String identity,
      @Option(names = "--bodies", description = "Both bodies, too.") boolean bodies,
      @Option(names = "--json", description = "Print a JSON document.") boolean json)
      throws IOException {
    try (var conflicts = Conflicts.of(target.open(), Optional.empty())) {
      new ConflictReport(console, json).print(conflicts.find(identity, bodies), bodies);
    }
  }
}
