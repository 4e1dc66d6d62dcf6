package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.devstack.dist.Cache;
import io.cellmesh.operations.OperationException;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.stack.chaos.Chaos;
import io.cellmesh.stack.chaos.ChaosIndex;
import io.cellmesh.stack.chaos.ChaosResult;
import io.cellmesh.stack.chaos.FaultKind;
import io.cellmesh.stack.chaos.Schedule;
import io.cellmesh.stack.chaos.report.ChaosReport;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code chaos}: the proof under fire. */
@Command(
    name = "chaos",
    header = "Break servers at random while cells flow, and prove that no cell suffered.",
    description = {
      "Starts a stack of its own on this machine: three storage clusters of a master and a minion, "
          + "Kafka, two Connect workers, exactly-once sources. While known cells flow, now and then one "
          + "that conflicts with another, a schedule strikes: kills, hangs, restarts and promotions, of "
          + "masters (which hold the others' copies), minions, workers, brokers and, between data centres, "
          + "herb-replicator. One server at a time is lost for good, the next one when the buffers are "
          + "empty. Duplicates, conflicts and records that are no cells flow along. What the sink has "
          + "committed is deleted from Kafka at once, so that it can't hide a lost copy. Then everything "
          + "heals, and a count that shares no code with the product, and verify, have the last word. "
          + "Servers that you need are not touched.",
      "",
      "Ends with 1 if a record was lost, put out of order, repeated in the log or rejected although it "
          + "is stored, if a conflict was not reported, if the data centres disagree, or if something did "
          + "not come back by itself; then the stack's files are kept.",
      "",
      "Recovered is when no cell is later than two seconds any more, with --dcs ten, in the tables and "
          + "in the logs of all data centres. Of faults that overlap it counts from the last one's.",
      ""
    })
final class ChaosCommand implements Callable<Integer> {
  private static final int CLUSTERS = 3;
  private static final int WORKERS = 2;

  private final Console console;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      defaultValue = "5",
      description = "For how long faults are begun (default: 5).")
  private double minutes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The same number gives the same faults in the same order (default: at random).")
  private Optional<Long> seed = Optional.empty();

  @Option(
      names = "--faults",
      paramLabel = "KIND",
      split = ",",
      description =
          "Which kinds (default: all): master-kill, master-stop, master-restart, master-lost, "
              + "hand-over, minion-kill, minion-stop, worker-kill, worker-stop, worker-restart, "
              + "broker-stop, cut, disk; with --at-least-once also broker-kill, broker-restart; with "
              + "--dcs also herb-kill, herb-stop, herb-restart.")
  private List<String> faults = List.of();

  @Option(
      names = "--dcs",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Data centres, each with cells of its own and the others' (default: 1). Each takes about 4 GB.")
  private int datacenters;

  @Option(
      names = "--at-once",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "How many faults may overlap (default: 1). Never two that together take both copies of a cell.")
  private int atOnce;

  @Option(
      names = "--at-least-once",
      description =
          "Sources that are not exactly-once. What comes again in the log is counted and no fault then. "
              + "The stack has one broker, and Kafka does not end all transactions that were open when a "
              + "lone broker was restarted, so this kind of fault is left to such a run.")
  private boolean atLeastOnce;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "500",
      description = "Cells a second, in each data centre (default: 500).")
  private int rate;

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "Where the stack keeps its files, and leaves them (default: chaos in the checkout's "
              + ".cellmesh, or, from an archive, in ~/.local/state/cellmesh; deleted if all went well).")
  private Optional<Path> state = Optional.empty();

  @Option(names = "--json", description = "Print a JSON document with every fault.")
  private boolean json;

  ChaosCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    var kinds = kinds();
    if (!(minutes > 0)) {
      throw OperationException.invalid("--minutes: more than 0");
    }
    if (rate < 1 || rate > 100_000) {
      throw OperationException.invalid("--rate: 1 to 100000 cells a second");
    }
    if (datacenters < 1 || datacenters > 4) {
      throw OperationException.invalid("--dcs: 1 to 4");
    }
    if (atOnce < 1 || atOnce > 8) {
      throw OperationException.invalid("--at-once: 1 to 8");
    }
    long chosen = seed.orElseGet(() -> ThreadLocalRandom.current().nextLong(1_000_000));
    console.note("seed " + chosen);
    var directory = state.orElse(StateDirectory.usual().path().resolveSibling("chaos"));
    var plain = StackOptions.of(datacenters, List.of(ChaosIndex.FILE)).withClusters(CLUSTERS).withWorkers(WORKERS).withHttp();
    var options = (atLeastOnce ? plain : plain.withExactlyOnce()).in(directory);
    boolean passed = false;
    try (var stack = Stack.start(options, console.steps());
        var chaos = new Chaos(stack, atOnce, console.steps())) {
      var time = Duration.ofMillis(Math.round(minutes * 60_000));
      var result = chaos.run(new Schedule(chosen, kinds), time, rate, chosen, !atLeastOnce);
      print(chosen, result);
      passed = result.passed();
    } finally {
      keepOrDelete(directory, passed);
    }
    return passed ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private void print(long chosen, ChaosResult result) {
    var report = new ChaosReport(chosen, result);
    if (json) {
      console.json(report.document());
    } else {
      report.print(console);
    }
  }

  private void keepOrDelete(Path directory, boolean passed) throws IOException {
    if (passed && state.isEmpty()) {
      Cache.delete(directory);
    } else {
      console.note("data and logs are in " + directory);
    }
  }

  private List<FaultKind> kinds() {
    var kinds = new ArrayList<FaultKind>();
    for (var label : faults) {
      kinds.add(
          FaultKind.of(label.strip())
              .orElseThrow(
                  () ->
                      OperationException.invalid(
                          "--faults: \"%s\" is none of %s".formatted(label, FaultKind.labels()))));
    }
    if (kinds.isEmpty()) {
      kinds.addAll(Arrays.asList(FaultKind.values()));
      kinds.removeIf(kind -> kind.needsAtLeastOnce() && !atLeastOnce);
      kinds.removeIf(kind -> kind.needsPeers() && datacenters == 1);
    }
    kinds.stream()
        .filter(kind -> kind.needsAtLeastOnce() && !atLeastOnce)
        .findFirst()
        .ifPresent(
            kind -> {
              throw OperationException.invalid(
                  "--faults: " + kind.label() + " needs --at-least-once");
            });
    kinds.stream()
        .filter(kind -> kind.needsPeers() && datacenters == 1)
        .findFirst()
        .ifPresent(
            kind -> {
              throw OperationException.invalid(
                  "--faults: " + kind.label() + " needs --dcs 2 or more");
            });
    if (kinds.contains(FaultKind.DISK) && !FaultKind.canLimitFiles()) {
      kinds.remove(FaultKind.DISK);
      console.note("disk is left out: it needs Linux and prlimit (util-linux)");
    }
    if (kinds.isEmpty()) {
      throw OperationException.unavailable("--faults: nothing is left to do");
    }
    return kinds;
  }
}
