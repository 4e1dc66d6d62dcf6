package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.buffer.BufferCell;
import io.cellmesh.operations.buffer.BufferReader;
import io.cellmesh.operations.buffer.BufferView.Unreachable;
import io.cellmesh.terminal.BufferText;
import io.cellmesh.terminal.CellText;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Style;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code buffer show}. */
@Command(
    name = "show",
    header = "Show cell by cell what the buffers hold for a primary.",
    description = {
      "A cell is waiting while it is not in the primary's tables; then it stays until every minion "
          + "of the primary has it, and then it can go.",
      "Ends with 3 if a buffer can't be read."
    })
final class BufferShowCommand implements Callable<Integer> {
  private static final int MOST = 100_000;

  private final Console console;

  @Mixin private DataCenterTarget target;

  @Option(
      names = "--primary",
      paramLabel = "CLUSTER",
      required = true,
      description = "The storage cluster that the cells are held for.")
  private String primary;

  @Option(
      names = "--partition",
      paramLabel = "N",
      description = "Only cells of this partition of the ingest topics.")
  private Optional<Integer> partition = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "Most cells to show, 1 to 100000 (default: 100).")
  private int limit;

  @Option(names = "--bodies", description = "Show the cells' bodies, too.")
  private boolean bodies;

  @Option(names = "--json", description = "Print a JSON document.")
  private boolean json;

  BufferShowCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (limit < 1 || limit > MOST) {
      throw OperationException.invalid("--limit: %d is not in 1..%d".formatted(limit, MOST));
    }
    try (var servers = target.servers()) {
      servers.topology().cluster(primary);
      var unreachable = new ArrayList<Unreachable>();
      var cells =
          new BufferReader(servers.topology(), servers.pools())
              .cells(primary, number(), limit, unreachable);
      if (json) {
        var document = new LinkedHashMap<String, Object>();
        document.put("primary", primary);
        document.put("cells", cells.stream().map(this::json).toList());
        document.put("unreachable", unreachable);
        console.json(document);
      } else {
        print(cells);
        unreachable.forEach(server -> console.line(BufferText.line(server)));
      }
      return unreachable.stream().anyMatch(Unreachable::master)
          ? ExitCodes.ENVIRONMENT
          : ExitCodes.OK;
    }
  }

  private OptionalInt number() {
    return partition.map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  private void print(List<BufferCell> cells) {
    if (cells.isEmpty()) {
      console.line("no cells for " + primary + " in the buffers");
      return;
    }
    var table = Table.of("records", "offset>", "cell", "bytes>", "since", "on", "state");
    for (var cell : cells) {
      table.row(
          cell.records(),
          cell.offset(),
          cell.cell().key(),
          Texts.count(cell.cell().body().stored().length),
          cell.since().truncatedTo(ChronoUnit.SECONDS),
          Texts.list(cell.secondaries()),
          cell.state());
    }
    if (!bodies) {
      console.table(table);
    } else {
      var lines = table.render();
      lines.subList(0, 2).forEach(console::line);
      for (int i = 0; i < cells.size(); i++) {
        console.line(lines.get(i + 2));
        console.line(console.style(Style.DIM, "    " + cells.get(i).cell().body().toJson()));
      }
    }
    if (cells.size() == limit) {
      console.line("the first " + Texts.count(limit, "cell") + "; --limit shows more");
    }
  }

  private Map<String, Object> json(BufferCell cell) {
    var key = cell.cell().key();
    var object = new LinkedHashMap<String, Object>();
    object.put("records", cell.records());
    object.put("offset", cell.offset());
    object.put("row_key", key.rowKey().toString());
    object.put("column_name", key.columnName());
    object.put("ref_key", key.refKey());
    object.put("bytes", cell.cell().body().stored().length);
    object.put("since", cell.since().toString());
    object.put("secondaries", cell.secondaries());
    object.put("state", cell.state());
    if (bodies) {
      object.put("body", CellText.tree(cell.cell().body()));
    }
    return object;
  }
}
