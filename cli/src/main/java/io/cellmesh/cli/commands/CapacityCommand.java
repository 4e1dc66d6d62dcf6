package io.cellmesh.cli.commands;

import io.cellmesh.cell.Shards;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.capacity.Capacity;
import io.cellmesh.operations.capacity.Layout;
import io.cellmesh.operations.capacity.Limits;
import io.cellmesh.operations.capacity.Load;
import io.cellmesh.terminal.CapacityReport;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code capacity}. */
@Command(
    name = "capacity",
    header = "Compute what an instance needs at a load, and what breaks first.",
    description = {
      "Servers, connections, threads, memory, statements, commits, disks and network of a data"
          + " centre, by a model whose coefficients were measured; docs/capacity.md tells how, and how"
          + " far it is off. It asks no server.",
      "",
      "The layout is that of --deployment, or two clusters with a minion each of 64 shards in 16"
          + " partitions; options say what else it is to be. Exit code 1 if a limit is exceeded."
    })
final class CapacityCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--deployment",
      paramLabel = "FILE",
      description = "A cellmesh.yaml, whose topology and data centres count.")
  private Optional<Path> deployment = Optional.empty();

  @ArgGroup(validate = false, heading = "%nThe layout of each data centre:%n")
  private LayoutOptions layout = new LayoutOptions();

  @Option(
      names = "--rate",
      paramLabel = "R",
      description = "Cells a second that each data centre's own producers write (default: 1000).")
  private double rate = 1000;

  @Option(
      names = "--bytes",
      paramLabel = "B",
      description =
          "Of a cell in the log, with key and envelope: 600 with a body of 300 (default).")
  private int bytes = 600;

  @Option(names = "--copies", paramLabel = "N", description = "buffer.copies (default: 1).")
  private int copies = 1;

  @Option(
      names = "--limit",
      paramLabel = "NAME=N",
      description =
          "What machines allow; may be repeated. Of a MySQL server connections (151), tables (4000), "
              + "mysql_cores (4) and commit_ms (2); of a Connect worker files (4096), threads (4096), "
              + "heap_mib (2048) and worker_cores (4).")
  private Map<String, Double> limits = Map.of();

  @Option(names = "--json", description = "Print a JSON document.")
  private boolean json;

  CapacityCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    var given =
        deployment.isPresent()
            ? Layout.of(Deployment.read(deployment.get()))
            : Layout.of(2, 1, new Shards(64, 16));
    var load = new Load(rate, bytes, copies);
    var capacity = Capacity.of(layout.over(given), load, Limits.USUAL.with(limits));
    if (json) {
      console.json(capacity.document());
    } else {
      new CapacityReport(console, capacity).print();
    }
    return capacity.bounds().get(0).exceeded() ? ExitCodes.FAILED : ExitCodes.OK;
  }

  /** What differs from the deployment. */
  static final class LayoutOptions {
    @Option(names = "--datacenters", paramLabel = "D", description = "Data centres.")
    private Optional<Integer> datacenters = Optional.empty();

    @Option(names = "--clusters", paramLabel = "C", description = "Storage clusters.")
    private Optional<Integer> clusters = Optional.empty();

    @Option(names = "--minions", paramLabel = "N", description = "Minions of each cluster.")
    private Optional<Integer> minions = Optional.empty();

    @Option(names = "--shards", paramLabel = "S", description = "Shards.")
    private Optional<Integer> shards = Optional.empty();

    @Option(names = "--partitions", paramLabel = "P", description = "Partitions of a topic.")
    private Optional<Integer> partitions = Optional.empty();

    @Option(names = "--tasks", paramLabel = "T", description = "Sink tasks (default: 2).")
    private Optional<Integer> tasks = Optional.empty();

    @Option(names = "--index-passes", paramLabel = "N", description = "Index passes (default: 0).")
    private Optional<Integer> passes = Optional.empty();

    @Option(
        names = "--connect-workers",
        paramLabel = "N",
        description = "Connect workers that share the connectors (default: 1).")
    private Optional<Integer> connectWorkers = Optional.empty();

    @Option(names = "--http-workers", paramLabel = "N", description = "Workers over HTTP.")
    private Optional<Integer> httpWorkers = Optional.empty();

    @Option(names = "--brokers", paramLabel = "N", description = "Brokers (default: 1).")
    private Optional<Integer> brokers = Optional.empty();

    @Option(
        names = "--replication-factor",
        paramLabel = "N",
        description = "Of the topics (default: 1).")
    private Optional<Integer> replication = Optional.empty();

    Layout over(Layout given) {
      int count = shards.orElse(given.shards().count());
      int parts = partitions.orElse(Math.min(given.shards().partitions(), count));
      return new Layout(
          datacenters.orElse(given.datacenters()),
          clusters.orElse(given.clusters()),
          minions.orElse(given.minions()),
          shards(count, parts),
          tasks.orElse(given.tasks()),
          passes.orElse(given.passes()),
          connectWorkers.orElse(given.connectWorkers()),
          httpWorkers.orElse(given.httpWorkers()),
          brokers.orElse(given.brokers()),
          replication.orElse(given.replication()));
    }

    private static Shards shards(int count, int partitions) {
      try {
        return new Shards(count, partitions);
      } catch (IllegalArgumentException e) {
        throw OperationException.invalid(e.getMessage());
      }
    }
  }
}
