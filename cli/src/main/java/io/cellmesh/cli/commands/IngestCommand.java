package io.cellmesh.cli.commands;

import io.cellmesh.cell.Topics;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.ingest.IngestAcceptance;
import io.cellmesh.operations.ingest.IngestFinding;
import io.cellmesh.operations.ingest.IngestFinding.State;
import io.cellmesh.operations.ingest.IngestInspection;
import io.cellmesh.operations.instance.TimestampCheck;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ingest}: whether the ingest topics are what the positions say, and the way on if not. */
@Command(
    name = "ingest",
    header = "See whether an ingest topic was recreated, truncated or has expired, and go on.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {IngestCommand.Check.class, IngestCommand.Accept.class})
final class IngestCommand {

  private static Table table(List<IngestFinding> findings, Topics topics) {
    var table = Table.of("topic", "partition>", "primary", "position>", "");
    findings.forEach(
        f ->
            table.row(
                f.topic().of(topics),
                f.partition(),
                f.primary(),
                f.state() == State.UNKNOWN ? "?" : f.position().next(),
                f.text()));
    return table;
  }

  /** {@code ingest check}. */
  @Command(
      name = "check",
      header = "Compare the ingest topics with the positions in MySQL.",
      description =
          "For every partition and primary: is the record before the position still the one that "
              + "was read, and are all records after it in the topic or in a buffer. Exit code 1 if "
              + "something is lost. Warns of topics whose records expire by the time of the cells that "
              + "they tell of, which may be before anybody has read them.")
  static final class Check implements Callable<Integer> {
    private final Console console;

    @Mixin private DataCenterTarget target;

    Check(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, SQLException, InterruptedException {
      var deployment = target.open();
      var dc = target.of(deployment);
      TimestampCheck.warnings(dc).forEach(console::note);
      List<IngestFinding> findings;
      try (var nodes = new Nodes(new Pools(deployment.operator()))) {
        findings = new IngestInspection(dc, nodes).run();
      }
      var notable = findings.stream().filter(f -> f.state() != State.FITS).toList();
      if (notable.isEmpty()) {
        console.line("%d positions fit their topics".formatted(findings.size()));
        return ExitCodes.OK;
      }
      console.table(table(notable, deployment.topics()));
      if (notable.stream().noneMatch(IngestFinding::bad)) {
        return ExitCodes.ENVIRONMENT;
      }
      console.note("`cellmesh ingest accept --topic TOPIC` goes on without what is lost");
      return ExitCodes.FAILED;
    }
  }

  /** {@code ingest accept}; after an interruption the same again comes as far as the sink. */
  @Command(
      name = "accept",
      header = "Go on after a topic was recreated or has expired.",
      description =
          "Moves the positions of what `ingest check` complains of: behind records that nobody has "
              + "any more, and to the beginning of a topic that was recreated, whose records are then "
              + "read from its first one (what is stored already changes nothing). Then restarts the "
              + "sink. Without --yes it only says what it would do.")
  static final class Accept implements Callable<Integer> {
    private final Console console;

    @Mixin private DataCenterTarget target;

    @Option(
        names = "--topic",
        required = true,
        paramLabel = "NAME",
        description = "The ingest topic, such as trips.cells.")
    private String topic;

    @Option(names = "--yes", description = "Do it.")
    private boolean yes;

    Accept(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, SQLException {
      var deployment = target.open();
      var dc = target.of(deployment);
      var topics = deployment.topics();
      if (!List.of(topics.cells(), topics.mesh()).contains(topic)) {
        throw OperationException.invalid(
            "--topic: \"%s\" is not one of %s, %s".formatted(topic, topics.cells(), topics.mesh()));
      }
      var options = MySqlOptions.DEFAULT.withMultiStatements();
      try (var nodes = new Nodes(new Pools(deployment.operator(), options))) {
        var bad =
            new IngestInspection(dc, nodes)
                .run().stream().filter(f -> f.topic().of(topics).equals(topic) && f.bad()).toList();
        if (bad.isEmpty()) {
          console.line("nothing to accept: every position that can be told fits " + topic);
        } else {
          console.table(table(bad, topics));
        }
        if (!yes) {
          console.note("nothing was changed; say --yes to go on without what is lost");
          return bad.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
        }
        new IngestAcceptance(dc.topology(), nodes).accept(bad);
      }
      ConnectClients.of(dc).restart(deployment.instance() + "-sink");
      console.line("the sink starts anew and goes on");
      return ExitCodes.OK;
    }
  }
}
