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

  @ArgGroup(validate = false, heading = "%nThe load:%n")
  private RateOptions load = new RateOptions();

  @ArgGroup(validate = false, heading = "%nWhat machines allow:%n")
  private LimitOptions limits = new LimitOptions();

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
    var capacity = Capacity.of(layout.over(given), load.get(), limits.get());
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

  /** What is asked of it. */
  static final class RateOptions {
    @Option(
        names = "--rate",
        paramLabel = "R",
        description = "Cells a second that each data centre's own producers write (default: 1000).")
    private double rate = 1000;

    @Option(
        names = "--bytes",
        paramLabel = "B",
        description =
            "Bytes of a cell in the log, with key and envelope; 600 is a body of 300 (default: 600).")
    private int bytes = 600;

    @Option(
        names = "--copies",
        paramLabel = "N",
        description = "Copies of each cell in buffers, buffer.copies (default: 1).")
    private int copies = 1;

    Load get() {
      return new Load(rate, bytes, copies);
    }
  }

  /** What there is. */
  static final class LimitOptions {
    @Option(
        names = "--max-connections",
        paramLabel = "N",
        description = "max_connections of a MySQL server (default: 151, MySQL's own).")
    private int connections = Limits.USUAL.connections();

    @Option(
        names = "--table-open-cache",
        paramLabel = "N",
        description = "table_open_cache of a MySQL server (default: 4000, MySQL's own).")
    private int tables = Limits.USUAL.tables();

    @Option(
        names = "--open-files",
        paramLabel = "N",
        description = "Open files of a Connect worker (default: 4096).")
    private int files = Limits.USUAL.files();

    @Option(
        names = "--max-threads",
        paramLabel = "N",
        description = "Threads of a Connect worker (default: 4096).")
    private int threads = Limits.USUAL.threads();

    @Option(
        names = "--heap",
        paramLabel = "MIB",
        description = "Heap of a Connect worker in MiB (default: 2048, Kafka's own).")
    private int heapMiB = Limits.USUAL.heapMiB();

    @Option(
        names = "--worker-cores",
        paramLabel = "N",
        description = "Processors of a Connect worker (default: 4).")
    private double workerCores = Limits.USUAL.workerCores();

    @Option(
        names = "--mysql-cores",
        paramLabel = "N",
        description = "Processors of a MySQL server (default: 4).")
    private double mysqlCores = Limits.USUAL.mysqlCores();

    @Option(
        names = "--commit-ms",
        paramLabel = "MS",
        description = "Milliseconds that a commit takes on the disks of MySQL (default: 2).")
    private double commitMillis = Limits.USUAL.commitMillis();

    Limits get() {
      return new Limits(
          connections, tables, files, threads, heapMiB, workerCores, mysqlCores, commitMillis);
    }
  }
}
