package io.cellmesh.stack.chaos;

import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StackOptions.Paths;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run of chaos is to be, but for its seed.
 *
 * @param datacenters 1 to 4
 * @param brokers of each data centre, 1, or 3 of which one may be missing
 * @param atOnce how many faults may overlap, 1 to 8
 * @param exactlyOnce whether the sources are
 * @param rate cells a second, in each data centre, 1 to 100,000
 * @param kinds of faults; at least one
 * @param strict whether a recovery that took too long fails the run
 */
public record ChaosPlan(
    int datacenters,
    int brokers,
    int atOnce,
    boolean exactlyOnce,
    int rate,
    List<FaultKind> kinds,
    boolean strict) {
  private static final int CLUSTERS = 3;
  private static final int WORKERS = 2;

  /** A cell passes three times as many servers there: few shards are batches of several cells. */
  private static final int MESH_SHARDS = 8;

  private static final int MESH_PARTITIONS = 4;

  /** A step that is taken for each cell costs more than the cell. */
  private static final int MESH_LINGER_MS = 400;

  /** Producers take part in that, and as little longer as it needs to be. */
  private static final Duration PRODUCERS_LINGER = Duration.ofMillis(100);

  private static final Duration RISE = Duration.ofMinutes(2);

  /** Three data centres are much for one machine; with P of them it has less to hold of each. */
  private static final int FEW_SHARDS = StackOptions.PARTITIONS;

  /** Enough where none is struck: the copy of a cell is in the other one. */
  private static final int FEW_CLUSTERS = 2;

  /** What servers may take of the machine's disk; only what they write do they take. */
  private static final int DISK_MIB = 8192;

  /**
   * @throws OperationException naming the option that is out of its bounds
   */
  public ChaosPlan {
    kinds = List.copyOf(kinds);
    check(rate >= 1 && rate <= 100_000, "--rate: 1 to 100000 cells a second");
    check(datacenters >= 1 && datacenters <= 4, "--dcs: 1 to 4");
    check(brokers == 1 || brokers == 3, "--brokers: 1 or 3");
    check(atOnce >= 1 && atOnce <= 8, "--at-once: 1 to 8");
    for (var kind : kinds) {
      check(
          exactlyOnce && brokers == 1 && kind.endsBroker(),
          kind,
          "needs --at-least-once or --brokers 3");
      check(datacenters == 1 && kind.needsPeers(), kind, "needs --dcs 2 or more");
    }
    if (kinds.isEmpty()) {
      throw OperationException.unavailable("--faults: nothing is left to do");
    }
  }

  /**
   * The kinds of these labels; without labels all that such a stack can have.
   *
   * @param exactlyOnce whether the sources are
   * @throws OperationException naming a label that there is not
   */
  public static List<FaultKind> kinds(
      List<String> labels, int datacenters, int brokers, boolean exactlyOnce) {
    var kinds = new ArrayList<FaultKind>();
    for (var label : labels) {
      kinds.add(
          FaultKind.of(label.strip())
              .orElseThrow(
                  () ->
                      OperationException.invalid(
                          "--faults: \"%s\" is none of %s".formatted(label, FaultKind.labels()))));
    }
    if (kinds.isEmpty()) {
      kinds.addAll(Arrays.asList(FaultKind.values()));
      kinds.removeIf(kind -> kind.endsBroker() && exactlyOnce && brokers == 1);
      kinds.removeIf(kind -> kind.needsPeers() && datacenters == 1);
    }
    return kinds;
  }

  /**
   * Takes out the kinds that this machine can't do.
   *
   * @return a line for each of them that says why
   */
  public static List<String> leaveOut(List<FaultKind> kinds) {
    var said = new ArrayList<String>();
    for (var kind : List.copyOf(kinds)) {
      var missing = kind.missing();
      if (missing.isPresent()) {
        kinds.remove(kind);
        said.add(kind.label() + " is left out: " + missing.get());
      }
    }
    return said;
  }

  /**
   * Starts a stack, strikes it and ends it.
   *
   * @param directory for the stack's files, which stay
   * @param time for how long faults are begun
   */
  public ChaosResult run(long seed, Duration time, Path directory, OperationListener steps)
      throws Exception {
    var options = (onlyMesh() ? mesh() : whole()).withBrokers(brokers);
    options = (exactlyOnce ? options.withExactlyOnce() : options).in(directory);
    try (var stack = Stack.start(options, steps);
        var chaos = new Chaos(stack, atOnce, steps)) {
      return chaos.run(new Schedule(seed, kinds), time, load(), seed, exactlyOnce, strict);
    }
  }

  /** Three data centres that have just been started on one machine are given time. */
  private Load load() {
    return onlyMesh() ? new Load(rate, RISE, PRODUCERS_LINGER) : Load.of(rate);
  }

  /** Of three data centres and more: whether only they and the links between them are struck. */
  private boolean onlyMesh() {
    return datacenters > 2 && kinds.stream().allMatch(FaultKind::needsPeers);
  }

  /** No more than the cells need on their way, so that it takes more of them. */
  private StackOptions mesh() {
    return new StackOptions(Optional.empty(), datacenters, MESH_SHARDS, MESH_PARTITIONS, List.of())
        .withClusters(FEW_CLUSTERS)
        .withPaths(Paths.PEERS)
        .withLinger(MESH_LINGER_MS);
  }

  private StackOptions whole() {
    var usual = StackOptions.of(datacenters, List.of(ChaosIndex.FILE));
    return (datacenters > 2 ? usual.withShards(FEW_SHARDS) : usual)
        .withClusters(CLUSTERS)
        .withWorkers(WORKERS)
        .withHttp()
        .withPaths(Paths.ALL)
        .withDisks(kinds.stream().anyMatch(FaultKind::needsDisks) ? DISK_MIB : 0);
  }

  /** What tells it from another one, for a ledger. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("datacenters", datacenters);
    document.put("brokers", brokers);
    document.put("at_once", atOnce);
    document.put("exactly_once", exactlyOnce);
    document.put("rate", rate);
    document.put("faults", kinds.stream().map(FaultKind::label).toList());
    document.put("strict", strict);
    return document;
  }

  private static void check(boolean broken, FaultKind kind, String rule) {
    check(!broken, "--faults: " + kind.label() + " " + rule);
  }

  private static void check(boolean holds, String rule) {
    if (!holds) {
      throw OperationException.invalid(rule);
    }
  }
}
