package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.trigger.TriggerDocument;
import io.cellmesh.operations.trigger.TriggerInspection;
import io.cellmesh.operations.trigger.TriggerStatus;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import io.cellmesh.topics.trigger.Definition;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trigger status}. */
@Command(
    name = "status",
    header = "Show a trigger: who runs it, and where each partition stands.",
    description =
        "Ends with 1 if something keeps it from its work: nobody runs it, a member is halted because "
            + "too much fails, or a partition's place is gone. One that is paused need not run.")
final class TriggerStatusCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private TriggerTarget target;

  @Option(names = "--json", description = "Print a JSON document.")
  private boolean json;

  TriggerStatusCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var site = target.site();
    TriggerStatus trigger;
    try (var inspection = new TriggerInspection(site)) {
      trigger = inspection.of(target.name());
    }
    if (json) {
      var document = TriggerDocument.json(site.dc().name(), trigger);
      document.put("partitions", trigger.partitions().stream().map(TriggerDocument::json).toList());
      console.json(document);
    } else {
      print(trigger);
    }
    return trigger.works() ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private void print(TriggerStatus trigger) {
    console.line(
        "%s: columns %s of %s, in the order of each %s, from %s, created %s"
            .formatted(
                trigger.name(),
                TriggerText.columns(trigger),
                trigger.definition().topic(),
                Definition.text(trigger.definition().order()),
                trigger.definition().start().text(),
                trigger.createdAt()));
    trigger
        .pause()
        .ifPresent(
            pause -> console.line("is paused by %s since %s".formatted(pause.by(), pause.at())));
    var owners = new HashMap<Integer, String>();
    for (var member : trigger.members()) {
      member.partitions().forEach(number -> owners.put(number, member.id()));
    }
    table(trigger, owners);
    trigger.findings().forEach(console::line);
    if (trigger.parkedRows() > 0) {
      console.line(
          "%s parked; `cellmesh trigger parked ls %s` shows which"
              .formatted(Texts.count(trigger.parkedRows(), "row is", "rows are"), trigger.name()));
    }
  }

  private void table(TriggerStatus trigger, Map<Integer, String> owners) {
    var table =
        Table.of(
            "partition>",
            "next>",
            "end>",
            "behind>",
            "for>",
            "rows parked>",
            "cells>",
            "asked>",
            "member");
    for (var each : trigger.partitions()) {
      var next = each.next().isPresent() ? Long.toString(each.next().getAsLong()) : "gone";
      table.row(
          each.partition(),
          each.begun() ? next : next + " (not begun)",
          each.place().end(),
          Texts.count(each.lagCells()),
          TriggerText.age(each.lag()),
          each.parkedRows(),
          Texts.count(each.parkedCells()),
          each.requests(),
          owners.getOrDefault(each.partition(), ""));
    }
    console.table(table);
  }
}
