package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.trigger.ParkedCells;
import io.cellmesh.operations.trigger.TriggerDocument;
import io.cellmesh.terminal.CellText;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trigger parked}: what a trigger gave up on. */
@Command(
    name = "parked",
    header = "See what a trigger gave up on, and replay or discard it.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      TriggerParkedCommand.Ls.class,
      TriggerParkedCommand.Show.class,
      TriggerParkedCommand.Replay.class,
      TriggerParkedCommand.Discard.class
    })
final class TriggerParkedCommand {

  private static UUID row(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw OperationException.invalid(
          "row_key = \"%s\": must be a UUID".formatted(CellText.shorten(text, 80)));
    }
  }

  /** {@code trigger parked ls}. */
  @Command(
      name = "ls",
      header = "List the rows that are parked, with the reason of each one's first cell.",
      description =
          "A row is parked when the trigger gave up on one of its cells; its later cells are parked "
              + "behind it without being tried, so that their order is kept.")
  static final class Ls implements Callable<Integer> {
    private final Console console;

    @Mixin private TriggerTarget target;

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    Ls(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      var rows = ParkedCells.of(target.site(), target.name()).rows();
      if (json) {
        console.json(Map.of("parked", rows.stream().map(Ls::json).toList()));
        return ExitCodes.OK;
      }
      if (rows.isEmpty()) {
        console.line("nothing is parked");
        return ExitCodes.OK;
      }
      var table = Table.of("row", "partition>", "cells>", "since", "reason");
      for (var row : rows) {
        var marker = row.marker();
        table.row(
            row.row(),
            row.partition(),
            Texts.count(marker.count()),
            marker.since(),
            CellText.shorten(marker.reason().text(), 80));
      }
      console.table(table);
      return ExitCodes.OK;
    }

    private static Map<String, Object> json(ParkedCells.Row row) {
      var json = new LinkedHashMap<String, Object>();
      json.put("row_key", row.row().toString());
      json.put("partition", row.partition());
      json.put("cells", row.marker().count());
      json.put("since", row.marker().since().toString());
      json.put("reason", TriggerDocument.json(row.marker().reason()));
      return json;
    }
  }

  /** {@code trigger parked show}. */
  @Command(
      name = "show",
      header = "Show the parked cells of a row, or of all, each with why it was parked.",
      description =
          "In the order of the row's log: the one that the trigger gave up on first, then those that "
              + "came while the row was parked. With the place in the trigger's topic.")
  static final class Show implements Callable<Integer> {
    private final Console console;

    @Mixin private TriggerTarget target;

    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "ROW",
        description = "The row_key, a UUID (default: all rows).")
    private Optional<String> row = Optional.empty();

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    Show(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      var wanted = row.map(TriggerParkedCommand::row);
      var parked = ParkedCells.of(target.site(), target.name());
      var cells = new ArrayList<ParkedCells.Cell>();
      if (wanted.isPresent()) {
        parked.read(wanted.get(), cells::add);
      } else {
        parked.readAll(cells::add);
      }
      if (json) {
        console.json(Map.of("parked", cells.stream().map(Show::json).toList()));
      } else {
        print(cells);
      }
      return ExitCodes.OK;
    }

    private void print(List<ParkedCells.Cell> cells) {
      if (cells.isEmpty()) {
        console.line("nothing is parked");
      }
      var text = new CellText(console);
      for (var each : cells) {
        console.line(each.cell().map(text::line).orElse("  no cell that can be read"));
        var why = each.why();
        console.line(
            "    %s-%d@%d, %s, last at %s: %s"
                .formatted(
                    why.source().topic(),
                    why.source().partition(),
                    why.offset(),
                    Texts.count(why.attempts(), "attempt"),
                    why.lastFailure(),
                    why.reason().text()));
      }
    }

    private static Map<String, Object> json(ParkedCells.Cell each) {
      var why = each.why();
      var json = new LinkedHashMap<String, Object>();
      each.cell()
          .ifPresent(
              cell -> {
                json.put("row_key", cell.cell().key().rowKey().toString());
                json.put("column_name", cell.cell().key().columnName());
                json.put("ref_key", cell.cell().key().refKey());
                json.put("body", CellText.tree(cell.cell().body()));
              });
      json.put("topic", why.source().topic());
      json.put("partition", why.source().partition());
      json.put("offset", why.offset());
      json.put("attempts", why.attempts());
      json.put("first_failure", why.firstFailure().toString());
      json.put("last_failure", why.lastFailure().toString());
      json.put("reason", TriggerDocument.json(why.reason()));
      return json;
    }
  }

  /** {@code trigger parked replay}. */
  @Command(
      name = "replay",
      header = "Have a trigger called again with what is parked, in order.",
      description =
          "The process that owns the row does it. A cell that fails again stays parked, with those "
              + "behind it.")
  static final class Replay implements Callable<Integer> {
    private final Console console;

    @Mixin private TriggerTarget target;

    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "ROW",
        description = "The row_key, a UUID.")
    private Optional<String> row = Optional.empty();

    @Option(names = "--all", description = "All rows that are parked.")
    private boolean all;

    Replay(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      if (all == row.isPresent()) {
        throw OperationException.invalid("say either a ROW or --all");
      }
      if (all) {
        long rows = target.requests().replayAll();
        console.line(
            rows == 0 ? "nothing is parked" : "asked to replay " + Texts.count(rows, "row"));
        if (rows == 0) {
          return ExitCodes.OK;
        }
      } else {
        var wanted = row(row.get());
        target.requests().replay(wanted);
        console.line("asked to replay row " + wanted);
      }
      target.remarkIfNobodyRuns(console);
      return ExitCodes.OK;
    }
  }

  /** {@code trigger parked discard}. */
  @Command(
      name = "discard",
      header = "Give up what is parked of a row for good; its later cells are called again.",
      description =
          "The trigger is never called with these cells. They stay in the topic of parked cells, "
              + "and the log has them.")
  static final class Discard implements Callable<Integer> {
    private final Console console;

    @Mixin private TriggerTarget target;

    @Parameters(index = "1", paramLabel = "ROW", description = "The row_key, a UUID.")
    private String row;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    Discard(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      var wanted = row(row);
      if (!yes && !console.confirm("Discard what is parked of row %s?".formatted(wanted))) {
        console.note("nothing was changed; say --yes to discard it");
        return ExitCodes.FAILED;
      }
      target.requests().discard(wanted);
      console.line("asked to discard row " + wanted);
      target.remarkIfNobodyRuns(console);
      return ExitCodes.OK;
    }
  }
}
