package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.buffer.BufferReader;
import io.cellmesh.operations.buffer.BufferView;
import io.cellmesh.terminal.BufferText;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code buffer ls}. */
@Command(
    name = "ls",
    header = "List what the buffers hold for each primary.",
    description = {
      "One line a primary, topic, partition and secondary. Cells are waiting while they are not "
          + "in the primary's tables; the others are visible and kept until its minions have them.",
      "Ends with 1 if offsets are missing between the copies, and with 3 if a buffer can't be read."
    })
final class BufferLsCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private DataCenterTarget target;

  @Option(
      names = "--primary",
      paramLabel = "CLUSTER",
      description = "Only what is held for this storage cluster.")
  private Optional<String> primary = Optional.empty();

  @Option(names = "--json", description = "Print a JSON document.")
  private boolean json;

  BufferLsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    try (var servers = target.servers()) {
      primary.ifPresent(servers.topology()::cluster);
      var buffers = new BufferReader(servers.topology(), servers.pools()).view(primary);
      if (json) {
        console.json(buffers);
      } else {
        print(buffers);
      }
      return exitCode(buffers);
    }
  }

  private void print(BufferView buffers) {
    var table =
        Table.of(
            "primary",
            "records",
            "offsets",
            "secondary",
            "copies>",
            "cells>",
            "waiting>",
            "oldest>");
    for (var view : buffers.primaries()) {
      for (var row : view.held()) {
        table.row(
            view.primary(),
            row.records(),
            "%d–%d".formatted(row.from(), row.to() - 1),
            row.secondary(),
            Texts.count(row.copies()),
            Texts.count(row.cells()),
            Texts.count(row.waitingCells()),
            Texts.age(row.oldestMillis()));
      }
    }
    if (table.isEmpty()) {
      console.line("no copies in the buffers of " + buffers.datacenter());
    } else {
      console.table(table);
      console.line();
    }
    for (var view : buffers.primaries()) {
      BufferText.lines(buffers, view).forEach(console::line);
    }
    buffers.unreachable().forEach(server -> console.line(BufferText.line(server)));
  }

  private static int exitCode(BufferView buffers) {
    if (buffers.primaries().stream().anyMatch(view -> !view.gaps().isEmpty())) {
      return ExitCodes.FAILED;
    }
    return buffers.unreachable().stream().anyMatch(BufferView.Unreachable::master)
        ? ExitCodes.ENVIRONMENT
        : ExitCodes.OK;
  }
}
