package io.cellmesh.cli.commands;

import io.cellmesh.cell.LogRecord;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.OperationException;
import io.cellmesh.terminal.CellText;
import io.cellmesh.terminal.Console;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogTail;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tail}: the log. */
@Command(
    name = "tail",
    header = "Show the log: its newest cells, all of them, or those that come.",
    description = "The order is that of commits within a shard; among shards there is none.")
final class TailCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private DataCenterTarget target;

  @Option(names = "--column", paramLabel = "NAME", description = "Only cells of this column.")
  private Optional<String> column = Optional.empty();

  @Option(names = "--shard", paramLabel = "N", description = "Only cells of this shard.")
  private Optional<Integer> shard = Optional.empty();

  @Option(
      names = "--from-beginning",
      description = "Begin with the first cell that the log holds; all, unless -n limits them.")
  private boolean fromBeginning;

  @Option(names = "-n", paramLabel = "COUNT", description = "How many cells (default: 10).")
  private Optional<Integer> count = Optional.empty();

  @Option(
      names = {"-f", "--follow"},
      description = "Go on with the cells that come, until Ctrl-C.")
  private boolean follow;

  @Option(names = "--json", description = "Print one envelope a line.")
  private boolean json;

  TailCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    var deployment = target.open();
    var dc = target.of(deployment);
    int shards = dc.topology().shards().count();
    if (shard.isPresent() && (shard.get() < 0 || shard.get() >= shards)) {
      throw OperationException.invalid("--shard: the shards are 0 to " + (shards - 1));
    }
    if (count.isPresent() && count.get() < 0) {
      throw OperationException.invalid("-n: a count is not negative");
    }
    try (var client = Consumers.open(dc.kafka());
        var log = new LogTail(client, dc.topology(), new LogTail.Filter(column, shard))) {
      if (fromBeginning) {
        fromBeginning(log);
      } else {
        show(log.newest(count.orElse(10)));
      }
      while (follow) {
        show(log.poll());
      }
    }
    return ExitCodes.OK;
  }

  private void fromBeginning(LogTail log) {
    log.rewind();
    int left = count.orElse(Integer.MAX_VALUE);
    while (left > 0 && !log.atFirstEnd()) {
      var records = log.poll();
      records = records.subList(0, Math.min(left, records.size()));
      show(records);
      left -= records.size();
    }
  }

  private void show(List<LogRecord> records) {
    var text = new CellText(console);
    for (var record : records) {
      console.line(json ? CellText.json(record) : text.line(record));
    }
  }
}
