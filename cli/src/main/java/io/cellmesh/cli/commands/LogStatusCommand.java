package io.cellmesh.cli.commands;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.LogOffset;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.log.LogSources;
import io.cellmesh.operations.log.SourceStatus;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code log status}. */
@Command(
    name = "status",
    header = "Show each cluster's source connector, how far it is, and a rebuild in progress.",
    description =
        "The transactions are those that Connect has stored, which it does every"
            + " offset.flush.interval.ms (a minute by default). Ends with 1 if a connector is"
            + " missing or does not run.")
final class LogStatusCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private LogTarget target;

  @Option(names = "--json", description = "Print a JSON document, with the GTID sets in full.")
  private boolean json;

  LogStatusCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    var site = target.site();
    var sources = new LogSources(site).all();
    var missing =
        site.topology().clusters().stream()
            .map(cluster -> cluster.name())
            .filter(
                name ->
                    sources.stream().noneMatch(r -> r.connector().cluster().name().equals(name)))
            .toList();
    if (json) {
      console.json(sources.stream().map(LogStatusCommand::document).toList());
    } else {
      print(sources);
    }
    if (!missing.isEmpty()) {
      throw OperationException.failed(
          "Connect at %s has no source connector for %s; post what `cellmesh connectors render` writes"
              .formatted(site.connect(), Texts.list(missing)));
    }
    return sources.stream().allMatch(source -> source.state().isRunning())
        ? ExitCodes.OK
        : ExitCodes.FAILED;
  }

  private void print(List<SourceStatus> sources) {
    var table = Table.of("cluster", "connector", "state", "reads", "rebuild", "transactions");
    for (var source : sources) {
      var connector = source.connector();
      table.row(
          connector.cluster().name(),
          connector.name(),
          source.state().state(),
          connector.readFrom(),
          source.offset().map(LogStatusCommand::rebuild).orElse(""),
          source
              .offset()
              .flatMap(LogOffset::gtids)
              .map(set -> GtidSet.parse(set).brief())
              .orElse("none stored"));
    }
    console.table(table);
    sources.forEach(
        source ->
            source
                .state()
                .failure()
                .ifPresent(why -> console.line(source.connector().name() + ": " + why)));
    sources.forEach(
        source ->
            source
                .damage()
                .ifPresent(
                    why ->
                        console.line(
                            source.connector().name()
                                + ": its stored offset can't be read: "
                                + why)));
  }

  private static String rebuild(LogOffset offset) {
    return offset.rebuild().map(shards -> "shards " + shards + " remain").orElse("");
  }

  private static Map<String, Object> document(SourceStatus source) {
    var document = new LinkedHashMap<String, Object>();
    document.put("cluster", source.connector().cluster().name());
    document.put("connector", source.connector().name());
    document.put("shard_topics", source.connector().shape().value());
    document.put("read_from", source.connector().readFrom());
    document.put("state", source.state().state());
    source.state().failure().ifPresent(why -> document.put("failure", why));
    source.damage().ifPresent(why -> document.put("offset_damage", why));
    source.offset().flatMap(LogOffset::gtids).ifPresent(g -> document.put("gtids", g));
    source
        .offset()
        .flatMap(LogOffset::rebuild)
        .ifPresent(shards -> document.put("rebuild", shards.toString()));
    return document;
  }
}
