package io.cellmesh.cli.commands;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.CellReader;
import io.cellmesh.terminal.CellText;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code get}: a cell, the latest of a column, or a whole row. */
@Command(
    name = "get",
    header = "Read a cell, the latest cell of a column, or a whole row.",
    description = "Ends with 1 if there is no such cell.")
final class GetCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private DataCenterTarget target;
  @Mixin private ReadFrom from;

  @Parameters(index = "0", paramLabel = "ROW", description = "The row key, a UUID.")
  private UUID rowKey;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "COLUMN",
      description = "The column; without it the whole row is read.")
  private Optional<String> column = Optional.empty();

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "REF",
      description = "The ref key; without it the latest cell of the column is read.")
  private Optional<Long> refKey = Optional.empty();

  @Option(names = "--json", description = "Print one envelope of the log a line.")
  private boolean json;

  GetCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, SQLException {
    try (var servers = target.readers()) {
      var topology = servers.topology();
      var reader = new CellReader(topology, servers.pools(), from.minion());
      var cells = read(reader);
      if (cells.isEmpty()) {
        int shard = topology.shards().of(rowKey);
        throw OperationException.failed(
            "no such cell in shard %d of %s, at %s"
                .formatted(shard, topology.datacenter(), reader.serverOf(rowKey).address()));
      }
      if (json) {
        cells.forEach(cell -> console.line(CellText.json(cell)));
      } else {
        var text = new CellText(console);
        cells.forEach(cell -> text.lines(cell).forEach(console::line));
      }
    }
    return ExitCodes.OK;
  }

  private List<LogRecord> read(CellReader reader) throws SQLException {
    if (column.isEmpty()) {
      return reader.row(rowKey);
    }
    var cell =
        refKey.isPresent()
            ? reader.get(new CellKey(rowKey, column.get(), refKey.get()))
            : reader.latest(rowKey, column.get());
    return cell.stream().toList();
  }
}
