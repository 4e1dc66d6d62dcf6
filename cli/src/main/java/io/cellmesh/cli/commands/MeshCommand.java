package io.cellmesh.cli.commands;

import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.mesh.CellComparison;
import io.cellmesh.operations.mesh.IdRange;
import io.cellmesh.operations.mesh.LinkPlace;
import io.cellmesh.operations.mesh.MeshProof;
import io.cellmesh.operations.mesh.SinkBacklog;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.MeshReport;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mesh}: whether the links between data centres can go on, and the way on if not. */
@Command(
    name = "mesh",
    header = "See whether data centres agree, whether a link is halted, and let it go on.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      MeshCommand.Status.class,
      MeshCommand.Diff.class,
      MeshCommand.Check.class,
      MeshCommand.Accept.class
    })
final class MeshCommand {

  /** {@code mesh status}. */
  @Command(
      name = "status",
      header = "Show how far data centres agree, and where they differ.",
      description =
          "Exit code 1 if cells differ, if a data centre has lost cells of its own, or if it is not"
              + " known of late whether any differ, be it because the tables of a server were not"
              + " read yet or not for long, in a data centre whose workers the deployment names.")
  static final class Status implements Callable<Integer> {
    private final Console console;

    @Mixin private Target target;

    @Option(names = "--tables", description = "Read the entity tables in place of the logs.")
    private boolean tables;

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    Status(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, SQLException, InterruptedException {
      var deployment = target.open();
      var told = MeshProof.told(deployment, tables);
      var report =
          new MeshReport(
              told.links(),
              MeshProof.setbacks(deployment, console::note),
              SinkBacklog.of(deployment),
              told.tables());
      report.print(console, json);
      return report.agree() ? ExitCodes.OK : ExitCodes.FAILED;
    }
  }

  /** {@code mesh diff}. */
  @Command(
      name = "diff",
      header = "Name the cells of a shard that a data centre has otherwise than their origin.",
      description =
          "Reads both topics, or the topic and the table, and looks up what is absent. Exit code 1"
              + " if a cell differs.")
  static final class Diff implements Callable<Integer> {
    private final Console console;

    @Mixin private DataCenterTarget target;

    @Option(names = "--origin", required = true, description = "Data centre that wrote them first.")
    private String origin;

    @Option(names = "--shard", required = true, description = "Their shard.")
    private int shard;

    @Option(names = "--from", description = "The first origin_id (default: 0).")
    private long from;

    @Option(names = "--to", description = "The last origin_id (default: the last that both have).")
    private long to = Long.MAX_VALUE;

    @Option(names = "--in", description = "What is compared here: log (default), mesh or table.")
    private FoldSource in = FoldSource.LOG;

    @Option(
        names = "--server",
        paramLabel = "HOST:PORT",
        description = "Whose tables are compared (default: the master's).")
    private Optional<String> server = Optional.empty();

    Diff(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, SQLException, InterruptedException {
      var deployment = target.open();
      var there = deployment.datacenter(Optional.of(origin));
      var cells = new CellComparison(there, target.of(deployment), in, server);
      return MeshReport.printCells(console, cells.of(List.of(new IdRange(shard, from, to))))
          ? ExitCodes.OK
          : ExitCodes.FAILED;
    }
  }

  /** {@code mesh check}. */
  @Command(
      name = "check",
      header = "Compare the places of all links with the logs of their peers.",
      description =
          "For every link: does the peer's log still have what comes next, and is it the log that "
              + "the link began to read. Exit code 1 if one is halted for that.")
  static final class Check implements Callable<Integer> {
    private final Console console;

    @Mixin private Target target;

    Check(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      boolean good = MeshReport.printPlaces(console, LinkPlace.all(target.open(), console::note));
      return good ? ExitCodes.OK : ExitCodes.FAILED;
    }
  }

  /** {@code mesh accept}. */
  @Command(
      name = "accept",
      header = "Go on after what a link would read next has expired, or the peer's log is another.",
      description =
          "Moves a link of herb-replicator behind records that the peer's log no longer has, and to"
              + " the beginning of a log that was made again (what is stored already changes"
              + " nothing). The halted link goes on by itself within seconds. Without --yes it only"
              + " says what it would do.")
  static final class Accept implements Callable<Integer> {
    private final Console console;

    @Mixin private DataCenterTarget target;

    @Option(
        names = "--peer",
        required = true,
        paramLabel = "NAME",
        description = "The data centre whose cells the link brings here.")
    private String peer;

    @Option(names = "--yes", description = "Do it.")
    private boolean yes;

    Accept(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
      var deployment = target.open();
      var here = target.of(deployment);
      var there = deployment.datacenter(Optional.of(peer));
      if (there.equals(here)) {
        throw OperationException.invalid("--peer: %s is the data centre itself".formatted(peer));
      }
      if (!there.knowsKafka()) {
        return ask(here);
      }
      var place = LinkPlace.of(here, there);
      var findings = place.findings();
      if (findings.isEmpty()) {
        console.line(
            "nothing to accept: the log of %s has all that comes next".formatted(there.name()));
        return ExitCodes.OK;
      }
      findings.forEach(console::line);
      if (!yes) {
        console.note("nothing was changed; say --yes to go on without what is lost");
        return ExitCodes.FAILED;
      }
      place.accept();
      console.line("accepted; the link goes on");
      return ExitCodes.OK;
    }

    /** What the log of a peer lacks whose brokers are out of reach is known to the link alone. */
    private int ask(DataCenter here) throws InterruptedException {
      if (!yes) {
        console.note("herb-replicator's /health says what is lost; say --yes to go on without it");
        return ExitCodes.FAILED;
      }
      LinkPlace.ask(here, peer);
      console.line("asked; the link goes on within seconds");
      return ExitCodes.OK;
    }
  }
}
