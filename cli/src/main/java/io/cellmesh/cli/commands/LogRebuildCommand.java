package io.cellmesh.cli.commands;

import io.cellmesh.cell.ShardSet;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.log.LogRebuild;
import io.cellmesh.operations.log.LogSources;
import io.cellmesh.operations.log.RebuildMonitor;
import io.cellmesh.operations.log.RebuildRequest;
import io.cellmesh.operations.mesh.RemadeLog;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.RebuildText;
import io.cellmesh.topics.LogShape;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code log rebuild}. */
@Command(
    name = "rebuild",
    header = "Write the log again from the entity tables, then go on with the binlog.",
    description = {
      "For when a binlog was purged before it was read, the connector's offsets are gone, or Kafka"
          + " is new. Each source connector is stopped, told to read its shards in added_id order,"
          + " and resumed; it then goes on streaming without a gap. Consumers keep their offsets"
          + " and see the cells of these shards once more, so drop what was seen, by row_key,"
          + " column_name and ref_key.",
      "",
      "Ctrl-C ends only the looking on. The same command again goes on with a rebuild that is in"
          + " progress (once it is done, a new one begins: `cellmesh log status` says what"
          + " remains); one that asks for other shards widens it, and it begins again.",
      "",
      "The bar follows the end of the log, where new cells count as well; that a rebuild is done it"
          + " learns from the offsets that Connect stores every offset.flush.interval.ms (a minute"
          + " by default). Connect must be of Kafka 3.6 or later."
    })
final class LogRebuildCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private LogTarget target;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description = "Only this storage cluster; may be given several times (default: all).")
  private List<String> clusters = List.of();

  @Option(
      names = "--shards",
      paramLabel = "RANGES",
      description = "Only these shards, such as 0-31,40 (default: all of the clusters).")
  private Optional<String> shards = Optional.empty();

  @Option(
      names = "--shard-topics",
      paramLabel = "SHAPE",
      description =
          "partition or topic: which log, where connectors with either setting stand side by side.")
  private Optional<LogShape> shape = Optional.empty();

  @Option(
      names = "--delete-old",
      description =
          "Delete what the log holds while the connectors stand still, so that it is exactly the"
              + " entity tables: for a log that shows cells which a failover took back. A consumer"
              + " that has not read to the end goes on where its auto.offset.reset says; let it say"
              + " earliest. Topics of trigger.columns are emptied as well.")
  private boolean deleteOld;

  @Option(
      names = "--restart",
      description = "Begin a rebuild that is in progress again, rather than go on with it.")
  private boolean restart;

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  @Mixin private PausedConnectors owned;

  LogRebuildCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var site = target.site();
    owned.requirePaused(site);
    var wish = new RebuildRequest(clusters, shards.map(ShardSet::parse), deleteOld, restart);
    var sources = new LogSources(site);
    var rebuild = new LogRebuild(sources, wish, shape);
    var plan = rebuild.plan();
    try (var watch = new RebuildMonitor(sources, plan)) {
      var text = new RebuildText(site.topology().topics(), plan);
      text.intentions(watch).forEach(console::line);
      if (plan.deletes()) {
        console.line(text.deletion(rebuild.retained()));
      } else if (deleteOld) {
        console.line("nothing is deleted: the log holds records of a rebuild already");
      }
      if (text.asks() && !yes && !console.confirm("Go on?")) {
        console.note("nothing was changed; say --yes to go on");
        return ExitCodes.FAILED;
      }
      if (plan.deletes()) {
        new RemadeLog(site)
            .tell()
            .ifPresent(it -> console.note("generation %d of the log begins".formatted(it)));
      }
      rebuild.start(plan, console::note);
      owned.letGoOn(console, site);
      follow(watch);
      text.outcome().forEach(console::line);
    }
    return ExitCodes.OK;
  }

  private void follow(RebuildMonitor watch) throws InterruptedException {
    try (var bar = console.progress("cells", watch.total())) {
      bar.found(watch.before());
      watch.await(bar::set);
    }
  }
}
