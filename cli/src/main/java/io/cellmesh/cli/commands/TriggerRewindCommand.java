package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.trigger.TriggerRewind;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trigger rewind}. */
@Command(
    name = "rewind",
    header = "Have a trigger called again with cells that it has finished.",
    description = {
      "Also lets a trigger go on whose place is gone, or whose log no longer has what comes next. A cell "
          + "that the log still has is never skipped: partitions that stand before the target stay where "
          + "they are. The processes that own the partitions do it, as soon as they run.",
      "",
      "--dry-run changes nothing and counts the cells that would come again, by column."
    })
final class TriggerRewindCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private TriggerTarget target;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "PLACE",
      description =
          "earliest for the first record that there is, a time such as 2026-01-31T12:00:00Z, or an "
              + "offset for each partition, with commas.")
  private String to;

  @Option(
      names = "--partition",
      paramLabel = "N",
      description = "Only this partition; one offset is enough then.")
  private Optional<Integer> partition = Optional.empty();

  @Option(
      names = "--what-is-left",
      description = "Go on though cells are gone that the trigger may not have been called with.")
  private boolean whatIsLeft;

  @Option(names = "--dry-run", description = "Only say which cells would come again.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  @Option(names = "--json", description = "With --dry-run: print a JSON document.")
  private boolean json;

  TriggerRewindCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var rewind =
        TriggerRewind.plan(
            target.site(),
            target.name(),
            StartText.parse("--to", "earliest", to),
            partition,
            whatIsLeft);
    if (dryRun) {
      tell(rewind);
      return ExitCodes.OK;
    }
    if (rewind.moves().isEmpty()) {
      console.line("nothing to rewind: every partition stands there or before");
      return ExitCodes.OK;
    }
    var question =
        "Call %s again with up to %s of %s?"
            .formatted(
                target.name(),
                Texts.count(rewind.distance(), "record"),
                Texts.count(rewind.moves().size(), "partition"));
    if (!yes && !console.confirm(question)) {
      console.note("nothing was changed; say --yes to rewind it, or --dry-run to see the cells");
      return ExitCodes.FAILED;
    }
    rewind.run(TriggerTarget.by());
    console.line("asked of " + Texts.count(rewind.moves().size(), "partition"));
    target.remarkIfNobodyRuns(console);
    return ExitCodes.OK;
  }

  private void tell(TriggerRewind rewind) {
    Map<String, Long> cells;
    try (var bar = console.progress("records", rewind.distance())) {
      cells = rewind.count(bar::set);
    }
    if (json) {
      var document = new LinkedHashMap<String, Object>();
      document.put("trigger", target.name().text());
      document.put("again", cells);
      document.put("partitions", rewind.moves().stream().map(this::json).toList());
      console.json(document);
      return;
    }
    var table = Table.of("column", "again>");
    cells.forEach((column, count) -> table.row(column, Texts.count(count)));
    if (table.isEmpty()) {
      console.line("no cell would come again");
    } else {
      console.table(table);
    }
    for (var move : rewind.moves()) {
      var from = move.place().committed();
      console.line(
          "%s-%d: %s to %d"
              .formatted(
                  move.place().topic(),
                  move.place().partition(),
                  from.isPresent() ? Long.toString(from.getAsLong()) : "gone",
                  move.to()));
    }
  }

  private Map<String, Object> json(TriggerRewind.Move move) {
    var json = new LinkedHashMap<String, Object>();
    json.put("partition", move.place().partition());
    move.place().committed().ifPresent(from -> json.put("from", from));
    json.put("to", move.to());
    return json;
  }
}
