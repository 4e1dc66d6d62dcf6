package io.cellmesh.cli.commands;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.LogOffset;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.cli.terminal.Console;
import io.cellmesh.cli.terminal.Table;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.log.LogSources;
import io.cellmesh.operations.log.SourceReport;
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
        "The transactions are those that Connect has stored, which it does every "
            + "offset.flush.interval.ms (a minute by default). Ends with 1 if a connector is missing "
            + "or does not run.")
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
    var reports = new LogSources(site).reports();
    var missing =
        site.topology().clusters().stream()
            .map(cluster -> cluster.name())
            .filter(
                name ->
                    reports.stream().noneMatch(r -> r.connector().cluster().name().equals(name)))
            .toList();
    if (json) {
      console.json(reports.stream().map(LogStatusCommand::document).toList());
    } else {
      print(reports);
    }
    if (!missing.isEmpty()) {
      throw OperationException.failed(
          "Connect at %s has no source connector for %s; post what `cellmesh connectors render` writes"
              .formatted(site.connect(), Texts.list(missing)));
    }
    return reports.stream().allMatch(report -> report.state().isRunning())
        ? ExitCodes.OK
        : ExitCodes.FAILED;
  }

  private void print(List<SourceReport> reports) {
    var table = Table.of("cluster", "connector", "state", "reads", "rebuild", "transactions");
    for (var report : reports) {
      var connector = report.connector();
      table.row(
          connector.cluster().name(),
          connector.name(),
          report.state().state(),
          connector.readFrom(),
          report.offset().map(LogStatusCommand::rebuild).orElse(""),
          report
              .offset()
              .flatMap(LogOffset::gtids)
              .map(set -> GtidSet.parse(set).brief())
              .orElse("none stored"));
    }
    console.table(table);
    reports.forEach(
        report ->
            report
                .state()
                .failure()
                .ifPresent(why -> console.line(report.connector().name() + ": " + why)));
    reports.forEach(
        report ->
            report
                .damage()
                .ifPresent(
                    why ->
                        console.line(
                            report.connector().name()
                                + ": its stored offset can't be read: "
                                + why)));
  }

  private static String rebuild(LogOffset offset) {
    return offset.rebuild().map(shards -> "shards " + shards + " remain").orElse("");
  }

  private static Map<String, Object> document(SourceReport report) {
    var document = new LinkedHashMap<String, Object>();
    document.put("cluster", report.connector().cluster().name());
    document.put("connector", report.connector().name());
    document.put("shard_topics", report.connector().shape().value());
    document.put("read_from", report.connector().readFrom());
    document.put("state", report.state().state());
    report.state().failure().ifPresent(why -> document.put("failure", why));
    report.damage().ifPresent(why -> document.put("offset_damage", why));
    report.offset().flatMap(LogOffset::gtids).ifPresent(g -> document.put("gtids", g));
    report
        .offset()
        .flatMap(LogOffset::rebuild)
        .ifPresent(shards -> document.put("rebuild", shards.toString()));
    return document;
  }
}
