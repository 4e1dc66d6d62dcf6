package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.trigger.TriggerDocument;
import io.cellmesh.operations.trigger.TriggerInspection;
import io.cellmesh.operations.trigger.TriggerSite;
import io.cellmesh.operations.trigger.TriggerStatus;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trigger ls}. */
@Command(
    name = "ls",
    header = "List the triggers of every data centre, with how far each is behind.",
    description =
        "Behind are the records from the committed offsets to the end, and the age of the oldest of "
            + "them; with what a trigger has finished beyond its offsets it may be less, never more.")
final class TriggerLsCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private Target target;

  @Option(names = "--json", description = "Print a JSON document.")
  private boolean json;

  TriggerLsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var found = new LinkedHashMap<String, List<TriggerStatus>>();
    for (var dc : target.open().datacenters()) {
      try (var inspection = new TriggerInspection(new TriggerSite(dc))) {
        found.put(dc.name(), inspection.all());
      }
    }
    if (json) {
      var all = new ArrayList<Map<String, Object>>();
      found.forEach((dc, triggers) -> triggers.forEach(t -> all.add(TriggerDocument.json(dc, t))));
      console.json(Map.of("triggers", all));
    } else {
      print(found);
    }
    return ExitCodes.OK;
  }

  private void print(Map<String, List<TriggerStatus>> found) {
    var table =
        Table.of(
            "where", "trigger", "topic", "columns", "members>", "behind>", "for>", "parked>", "");
    found.forEach(
        (dc, triggers) ->
            triggers.forEach(
                trigger ->
                    table.row(
                        dc,
                        trigger.name(),
                        trigger.definition().topic(),
                        TriggerText.columns(trigger),
                        trigger.members().size(),
                        Texts.count(trigger.lagCells()),
                        TriggerText.age(trigger.lag()),
                        Texts.count(trigger.parkedRows(), "row"),
                        TriggerText.state(trigger))));
    if (table.isEmpty()) {
      console.line("there is no trigger; `cellmesh trigger create NAME --from PLACE` makes one");
    } else {
      console.table(table);
    }
  }
}
