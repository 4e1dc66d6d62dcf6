package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.trigger.TriggerDeletion;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Texts;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trigger delete}. */
@Command(
    name = "delete",
    header = "Delete a trigger that nobody runs, with its place.",
    description =
        "Refused while a process of it runs. What it gave up on stays in the topic of parked cells, "
            + "but nobody knows of it any more: replay or discard it before. Works on one that can't be "
            + "read, too. After an interruption, run it again.")
final class TriggerDeleteCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private TriggerTarget target;

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  TriggerDeleteCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var site = target.site();
    var deletion = new TriggerDeletion(site, target.name());
    var parked = deletion.parked();
    var question = "Delete trigger %s%s?".formatted(target.name(), remark(parked));
    if (!yes && !console.confirm(question)) {
      console.note("nothing was changed; say --yes to delete it");
      return ExitCodes.FAILED;
    }
    deletion.run();
    console.line("trigger %s is deleted%s".formatted(target.name(), remark(parked)));
    return ExitCodes.OK;
  }

  private static String remark(OptionalLong parked) {
    if (parked.isEmpty()) {
      return ", of which it can't be read how many cells are parked; those are left";
    }
    return parked.getAsLong() == 0
        ? ""
        : "; %s parked and left in the topic of parked cells"
            .formatted(Texts.count(parked.getAsLong(), "cell is", "cells are"));
  }
}
