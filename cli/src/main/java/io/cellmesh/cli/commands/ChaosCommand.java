package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.devstack.dist.Cache;
import io.cellmesh.operations.OperationException;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.stack.chaos.ChaosPlan;
import io.cellmesh.stack.chaos.ChaosResult;
import io.cellmesh.stack.chaos.report.ChaosLedger;
import io.cellmesh.stack.chaos.report.ChaosReport;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
          + "Kafka, two Connect workers, exactly-once sources, an index, a trigger and a worker that serves "
          + "HTTP. While known cells flow, some of them through that worker, a schedule strikes: kills, hangs, "
          + "restarts and promotions, of masters (which hold the others' copies), minions, workers, brokers and "
          + "applications, and networks that fail. One server at a time is lost for good, the next one when "
          + "the buffers are empty. Duplicates, conflicts, hot rows, large bodies and records that are no cells "
          + "flow along, and sessions read what they wrote. What the sink has committed is deleted from Kafka "
          + "at once, so that it can't hide a lost copy. Then everything heals, and a count that shares no code "
          + "with the product, and verify, have the last word. Servers that you need are not touched.",
      "",
      "Ends with 1 if a record was lost, put out of order, repeated in the log or rejected although it "
          + "is sound, if a conflict was not reported, a read was stale, the index is not that of the cells, a "
          + "cell did not reach the trigger, if the data centres disagree, or if something did not come back "
          + "by itself; then the stack's files are kept.",
      "",
      "Where --dcs is 3 or 4 and --faults strikes only whole data centres and links, each has eight shards in two storage "
          + "clusters, one Connect worker and no index, trigger or worker, and each step on a cell's way waits up to 0.4 s for more cells, so that the machine bears more; the load takes two minutes to rise.",
      "",
      "Recovered is when no cell is later than two seconds any more, with --dcs ten, in the tables and "
          + "in the logs of all data centres, none later than five, or ten, in the index and at the trigger. "
          + "Of faults that overlap it counts from the last one's.",
      ""
    })
final class ChaosCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      defaultValue = "5",
      description = "For how long faults are begun (default: 5).")
  private double minutes;

  @Option(
      names = "--hours",
      paramLabel = "N",
      description =
          "Slices of --minutes each, on a stack of its own, until the ledger has so many hours of these "
              + "options: goes on where the last one ended, with the next seed. Ends at the first that fails.")
  private Optional<Double> hours = Optional.empty();

  @Option(
      names = "--ledger",
      paramLabel = "FILE",
      description =
          "Add a line of JSON for each run: options, seed, commit, counts, result (default: none, with "
              + "--hours chaos-ledger.jsonl).")
  private Optional<Path> ledger = Optional.empty();

  @Option(
      names = "--strict",
      description =
          "Fail also if cells were late for longer than a fault's bound (docs/operating.md).")
  private boolean strict;

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
              + "hand-over, minion-kill, minion-stop, worker-kill, worker-stop, worker-restart, pulse, "
              + "broker-stop, master-full, minion-full, minion-restored, master-restored, clock, cut, one-way, "
              + "slow-path, broker-cut, broker-one-way, broker-slow, disk, node-kill, node-stop, node-restart, and the same of index- and "
              + "trigger-; with --at-least-once or --brokers 3 also broker-kill, broker-restart, broker-full; with --dcs also herb-kill, "
              + "herb-stop, herb-restart, dc-stop, dc-cut and, with both, dc-kill. A worker is Connect's, a node one that serves HTTP. A kind that is named twice comes twice as often.")
  private List<String> faults = List.of();

  @Option(
      names = "--dcs",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Data centres, each with cells of its own and the others' (default: 1). Each takes about 4 GB.")
  private int datacenters;

  @Option(
      names = "--brokers",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Brokers of each data centre: 1, or 3 that keep three copies, of which two must be in sync "
              + "(default: 1). With three they are killed and restarted, too.")
  private int brokers;

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
              + "Kafka does not end all transactions that were open when a "
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
    if (!(minutes > 0) || hours.filter(h -> !(h > 0)).isPresent()) {
      throw OperationException.invalid("--minutes, --hours: more than 0");
    }
    var kinds = ChaosPlan.kinds(faults, datacenters, brokers, !atLeastOnce);
    ChaosPlan.leaveOut(kinds).forEach(console::note);
    var plan = new ChaosPlan(datacenters, brokers, atOnce, !atLeastOnce, rate, kinds, strict);
    long chosen = seed.orElseGet(() -> ThreadLocalRandom.current().nextLong(1_000_000));
    var directory = state.orElse(StateDirectory.usual().path().resolveSibling("chaos"));
    if (hours.isEmpty()) {
      return run(plan, chosen, directory) ? ExitCodes.OK : ExitCodes.FAILED;
    }
    ledger = ledger.or(() -> Optional.of(Path.of("chaos-ledger.jsonl")));
    var past = new ChaosLedger(ledger.get());
    var wanted = Duration.ofMillis(Math.round(hours.get() * 3_600_000));
    while (past.done(plan).compareTo(wanted) < 0) {
      long next = past.lastSeed(plan).orElse(chosen - 1) + 1;
      var slice = directory.resolve("seed-" + next);
      Cache.delete(slice);
      if (!run(plan, next, slice)) {
        return ExitCodes.FAILED;
      }
    }
    console.note("%s hours are in %s".formatted(hours.get(), ledger.get()));
    return ExitCodes.OK;
  }

  private boolean run(ChaosPlan plan, long chosen, Path directory) throws Exception {
    console.note("seed " + chosen);
    boolean passed = false;
    try {
      var time = Duration.ofMillis(Math.round(minutes * 60_000));
      var result = plan.run(chosen, time, directory, console.steps());
      passed = result.passed();
      if (ledger.isPresent()) {
        new ChaosLedger(ledger.get()).add(plan, chosen, result);
      }
      print(chosen, result);
    } finally {
      keepOrDelete(directory, passed);
    }
    return passed;
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
    if (passed && (state.isEmpty() || hours.isPresent())) {
      Cache.delete(directory);
    } else {
      console.note("data and logs are in " + directory);
    }
  }
}
