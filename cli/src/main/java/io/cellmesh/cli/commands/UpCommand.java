package io.cellmesh.cli.commands;

import io.cellmesh.cell.Shards;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.status.WorkerStatus;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.terminal.Console;
import io.cellmesh.topics.LogShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code up}: a stack that stays. */
@Command(
    name = "up",
    header = "Start a stack on this machine and keep it running.",
    description =
        "Starts real servers on free loopback ports: in each data centre two MySQL clusters of a "
            + "master and a minion, Kafka, a Connect worker with the connectors, index-streams, a worker "
            + "that serves cells over HTTP and, with more than one data centre, herb-replicator. Other commands find it by themselves; "
            + "`cellmesh down` stops it.")
final class UpCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--dcs",
      paramLabel = "N",
      description = "Data centres (default: 2; 1 with a topic for each shard).")
  private Optional<Integer> datacenters = Optional.empty();

  @Option(
      names = "--shards",
      paramLabel = "N",
      defaultValue = "64",
      description = "Shards, a multiple of 16 (default: 64).")
  private int shards;

  @Option(
      names = "--shard-topics",
      paramLabel = "SHAPE",
      defaultValue = "partition",
      description =
          "The log: partition for one topic whose partitions share the shards (default), or topic for "
              + "a topic each shard. Indexes and other data centres read the one topic, so with topic "
              + "there are none, unless you post a second source connector with the other setting.")
  private LogShape shape;

  @Option(
      names = "--secure",
      description =
          "MySQL, Kafka and Connect speak TLS and ask who it is; each connector is a user of its own "
              + "on MySQL and Kafka, that may do what its role needs.")
  private boolean secure;

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "Where it keeps its files (default: stack in the checkout's .cellmesh, or, from an archive, "
              + "in ~/.local/state/cellmesh).")
  private Optional<Path> state = Optional.empty();

  @Option(
      names = "--index",
      paramLabel = "FILE",
      description =
          "An index definition; may be given several times (default: those in connectors/indexes).")
  private List<Path> indexes = List.of();

  UpCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    var directory = state.map(StateDirectory::new).orElse(StateDirectory.usual());
    var options = options().in(directory.path());
    try (var stack = Stack.start(options, console.steps())) {
      stack.keep();
      EndpointsTable.print(console, stack.deployment());
      console.line();
      WorkerStatus.pages(stack.deployment()).forEach(page -> console.line("worker     " + page));
      console.line("endpoints  " + stack.directory().endpoints());
      console.line("logs       " + stack.directory().path().resolve("logs"));
      console.line(
          "try        %1$s load, %1$s status, %1$s tail -f".formatted(CellmeshHome.command()));
      console.line("stop       " + CellmeshHome.command() + " down");
    }
    return ExitCodes.OK;
  }

  private StackOptions options() throws IOException {
    boolean oneTopic = shape == LogShape.PARTITION;
    int count = datacenters.orElse(oneTopic ? 2 : 1);
    checkDatacenters(count);
    if (shards % StackOptions.PARTITIONS != 0
        || shards < StackOptions.PARTITIONS
        || shards > Shards.MAX_COUNT) {
      throw OperationException.invalid(
          "--shards: a multiple of %d up to %d"
              .formatted(StackOptions.PARTITIONS, Shards.MAX_COUNT));
    }
    if (!oneTopic && (count > 1 || !indexes.isEmpty())) {
      throw OperationException.invalid(
          "--shard-topics topic: indexes and other data centres read the log from one topic; leave out --index and --dcs");
    }
    var options =
        StackOptions.of(count, oneTopic ? indexes(indexes) : List.of())
            .withShards(shards)
            .withShape(shape)
            .withHttp();
    return secure ? options.secured() : options;
  }

  static void checkDatacenters(int count) {
    if (count < 1 || count > 5) {
      throw OperationException.invalid("--dcs: one machine holds 1 to 5 data centres");
    }
  }

  static List<IndexFile> indexes(List<Path> files) throws IOException {
    return files.isEmpty()
        ? IndexFile.readAll(StateDirectory.home().resolve("connectors").resolve("indexes"))
        : IndexFile.readAll(files);
  }
}
