package io.cellmesh.connect.source;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.connect.source.ModelledBinlog.Row;
import io.cellmesh.connect.source.ModelledTask.Stopped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * One cluster whose binlogs are read while servers die and are promoted and tasks and connections
 * end: what chooses the server, resumes, drops repeats and hands out is real. In the end the log
 * must have all cells of the master.
 */
final class SourceSimulation {
  /** What the instance's creation left in each binlog. */
  static final String CREATION = uuid(9) + ":1-3";

  private static final int SHARDS = 5;
  private static final int QUIET = 3000;

  /** What can happen. */
  enum Kind {
    /** The sink commits rows, or none. */
    WRITE,
    /** A minion applies some transactions. */
    REPLICATE,
    /** The task is polled. */
    POLL,
    /** Kafka takes a record. */
    ARRIVE,
    /** Connect stores the offset. */
    FLUSH,
    /** The connection to the server is lost. */
    BREAK,
    /** The worker dies, and another one takes over. */
    KILL,
    CRASH,
    RETURN,
    /** A minion's replication stops, as after an error, and starts again. */
    STOP_REPLICA,
    START_REPLICA,
    /** A server's old binlogs go, as far as the stored offset allows it. */
    PURGE,
    /** The master is given up, with what it alone has, and the best minion becomes the master. */
    PROMOTE,
    /** The same in good order: the minion has everything. */
    HAND_OVER,
    /** The next stage of a promotion. */
    STAGE
  }

  private static final Kind[] OFTEN = {
    Kind.WRITE,
    Kind.WRITE,
    Kind.REPLICATE,
    Kind.REPLICATE,
    Kind.POLL,
    Kind.POLL,
    Kind.ARRIVE,
    Kind.ARRIVE,
    Kind.ARRIVE,
    Kind.STAGE
  };

  /** One thing that happens. */
  record Step(Kind kind, int which, int size) {
    @Override
    public String toString() {
      return kind + " " + which + " " + size;
    }
  }

  private final List<ModelledBinlog> servers = new ArrayList<>();
  private final Topology topology = TopologyYaml.parse(Samples.TOPOLOGY);
  private final FakeTaskContext connect = new FakeTaskContext();
  private final ModelledLog log = new ModelledLog(connect);
  private final ServerChoice choice;
  private final boolean showsMaster;
  private final Map<Integer, Integer> ids = new HashMap<>();

  /** Whether the log may show what the master alone has. */
  private boolean masterShown;

  private ModelledBinlog master;
  private ModelledBinlog listedMaster;
  private ModelledBinlog candidate;
  private int stage;
  private int uuids = 1;
  private ModelledTask task;

  private SourceSimulation(long seed) {
    // A log that shows what the master alone has can't bear that it is given up.
    this.showsMaster = seed % 3 == 0;
    boolean wantsMaster = seed % 6 == 0;
    this.choice =
        new ServerChoice(
            "c1", wantsMaster, showsMaster ? Optional.of(Duration.ofSeconds(5)) : Optional.empty());
    int count = 2 + (int) (seed % 2);
    for (int i = 0; i < count; i++) {
      servers.add(new ModelledBinlog(new Server("db" + i, 3306, "rack" + i), uuid(9)));
    }
    master = servers.get(0);
    for (int i = 0; i < 3; i++) {
      master.commit(List.of());
    }
    listedMaster = master;
    for (var server : servers) {
      server.remake(master, uuid(uuids++));
      server.purged = 0;
    }
    master.master = null;
    master.writable = true;
    begin();
  }

  private static String uuid(int number) {
    return "00000000-0000-0000-0000-%012d".formatted(number);
  }

  /** Draws what happens. */
  static List<Step> steps(long seed) {
    var random = new Random(seed * 0x9E3779B97F4A7C15L);
    var steps = new ArrayList<Step>();
    int count = 100 + random.nextInt(400);
    var all = Kind.values();
    for (int i = 0; i < count; i++) {
      var kind =
          random.nextInt(8) == 0
              ? all[random.nextInt(all.length)]
              : OFTEN[random.nextInt(OFTEN.length)];
      steps.add(new Step(kind, random.nextInt(60), 1 + random.nextInt(8)));
    }
    return steps;
  }

  /**
   * Runs what happens.
   *
   * @return what went wrong; empty if nothing did
   */
  static Optional<AssertionError> run(long seed, List<Step> steps) {
    try {
      var simulation = new SourceSimulation(seed);
      steps.forEach(simulation::happen);
      simulation.end();
      return Optional.empty();
    } catch (AssertionError e) {
      return Optional.of(e);
    } catch (RuntimeException e) {
      return Optional.of(new AssertionError(e.toString(), e));
    }
  }

  /** Leaves out what does not matter for what goes wrong. */
  static List<Step> shortened(long seed, List<Step> steps) {
    var least = new ArrayList<>(steps);
    for (int size = least.size() / 2; size > 0; ) {
      boolean dropped = false;
      for (int from = least.size() - size; from >= 0; from -= size) {
        var fewer = new ArrayList<>(least);
        fewer.subList(from, from + size).clear();
        if (run(seed, fewer).isPresent()) {
          least = fewer;
          dropped = true;
        }
      }
      size = dropped ? Math.min(size, least.size()) : size / 2;
    }
    return least;
  }

  /** What went wrong, and the shortest way to it. */
  static String describe(long seed, AssertionError wrong) {
    var least = shortened(seed, steps(seed));
    return "seed %d: %s%n%d steps:%n%s%n%s"
        .formatted(
            seed,
            wrong.getMessage(),
            least.size(),
            least.stream().map(Step::toString).collect(Collectors.joining("\n")),
            run(seed, least).map(AssertionError::getMessage).orElse(""));
  }

  private void begin() {
    log.die();
    task = new ModelledTask(connect, log, topology, listedMaster, choice);
  }

  private void happen(Step step) {
    var server = servers.get(step.which() % servers.size());
    switch (step.kind()) {
      case WRITE -> write(step);
      case REPLICATE -> replicate(server, step.size());
      case POLL -> poll(step.size(), step.which());
      case ARRIVE -> log.arrive(step.which());
      case FLUSH -> log.flush();
      case BREAK -> task.leave();
      case KILL -> begin();
      case CRASH -> {
        server.up = false;
        server.writable = false;
      }
      case RETURN -> comeBack(server);
      case STOP_REPLICA -> server.stopped = true;
      case START_REPLICA -> server.stopped = false;
      case PURGE -> purge(server, step.size());
      case PROMOTE -> promote(!showsMaster && !masterShown);
      case HAND_OVER -> promote(false);
      case STAGE -> stage();
    }
  }

  private void poll(int rows, int luck) {
    try {
      task.turn(servers, rows, luck);
      masterShown |= task.current() == master;
    } catch (Stopped e) {
      if (task.knowsOfPromotion() || (listedMaster == master && candidate == null)) {
        throw new AssertionError("a false alarm: " + e.getMessage(), e);
      }
      // One that knows just an old map may say so; the next map brings a task that goes on.
      begin();
    }
  }

  private void write(Step step) {
    if (!master.up || !master.writable) {
      return;
    }
    var rows = new ArrayList<Row>();
    var cells = cells(master);
    for (int i = 0; i < step.size() / 2; i++) {
      int shard = (step.which() + i * (step.size() % 3)) % SHARDS;
      var shards = cells.computeIfAbsent(shard, s -> new ArrayList<>());
      long last = shards.isEmpty() ? 0 : shards.get(shards.size() - 1).addedId();
      // Transactions that were rolled back have burnt some.
      long id = last + 1 + step.which() % 3;
      var row = new Row(shard, id, shards.size());
      shards.add(row);
      rows.add(row);
    }
    master.commit(rows);
  }

  private static Map<Integer, List<Row>> cells(ModelledBinlog server) {
    var cells = new HashMap<Integer, List<Row>>();
    for (var transaction : server.log()) {
      for (var row : transaction.rows()) {
        cells.computeIfAbsent(row.shard(), shard -> new ArrayList<>()).add(row);
      }
    }
    return cells;
  }

  private void replicate(ModelledBinlog minion, int most) {
    // Nobody may have more of the old master than the next one.
    boolean cutOff = candidate != null && minion.master == master && master != candidate;
    if (minion.up && minion.replicates() && minion.master.up && !cutOff) {
      minion.follow(most);
    }
  }

  private void comeBack(ModelledBinlog server) {
    server.up = true;
    if (server == master && candidate == null) {
      server.writable = true;
    }
  }

  /** Whoever purges looks at what the connector has stored. */
  private void purge(ModelledBinlog server, int most) {
    var stored = new ResumePoint(connect, "trips.dc1.c1").passed();
    if (stored.isEmpty()) {
      return;
    }
    int purged = server.purged;
    while (purged < Math.min(server.log().size(), server.purged + 3 * most)
        && stored.get().containsAll(server.log().get(purged).set())) {
      purged++;
    }
    server.purged = purged;
  }

  /** Begins a promotion: the master takes no more writes, and nobody follows it. */
  private void promote(boolean givesUp) {
    var minions = servers.stream().filter(s -> s != master).toList();
    if (candidate != null || !minions.stream().allMatch(s -> s.up)) {
      return;
    }
    if (!givesUp) {
      if (!master.up) {
        return;
      }
      minions.stream()
          .filter(ModelledBinlog::replicates)
          .forEach(minion -> minion.follow(Integer.MAX_VALUE));
    }
    var best = minions.stream().max(Comparator.comparingInt(s -> s.log().size())).orElseThrow();
    if (!givesUp) {
      best.follow(Integer.MAX_VALUE);
    }
    var stored = new ResumePoint(connect, "trips.dc1.c1").passed();
    if (stored.isPresent() && !best.executed().containsAll(stored.get())) {
      return;
    }
    master.writable = false;
    best.master = null;
    candidate = best;
    stage = 0;
  }

  private void stage() {
    if (candidate == null || !candidate.up) {
      return;
    }
    switch (stage++) {
      case 0 -> {
        // Its epoch.
        candidate.commit(List.of());
        candidate.writable = true;
      }
      case 1 -> {
        for (var server : servers) {
          if (server != candidate) {
            rejoin(server);
          }
        }
        master = candidate;
        masterShown = false;
      }
      default -> {
        listedMaster = master;
        candidate = null;
        begin();
      }
    }
  }

  private void rejoin(ModelledBinlog server) {
    if (candidate.executed().containsAll(server.executed())) {
      server.master = candidate;
      server.stopped = false;
    } else {
      server.remake(candidate, uuid(10 + uuids++));
    }
  }

  /**
   * Makes everything well, but for minions whose replication has stopped while another one's runs,
   * and waits until the log has everything.
   */
  private void end() {
    servers.forEach(this::comeBack);
    if (servers.stream().noneMatch(ModelledBinlog::replicates)) {
      servers.forEach(server -> server.stopped = false);
    }
    for (int i = 0; i < QUIET; i++) {
      stage();
      servers.forEach(server -> replicate(server, 5));
      poll(1 + i % 7, i);
      boolean waits = log.arrive(i) | log.arrive(i + 1);
      log.flush();
      if (!waits && candidate == null && missing().isEmpty()) {
        return;
      }
    }
    throw new AssertionError("not quiet: " + missing());
  }

  private String missing() {
    for (var cells : cells(master).entrySet()) {
      var ids = cells.getValue().stream().map(Row::addedId).toList();
      for (var topic : List.of("trips.log", "trips.trigger.BASE")) {
        var shown = log.shown(topic, cells.getKey());
        if (!shown.equals(ids)) {
          return "%s has %s of shard %d, and the master %s"
              .formatted(topic, shown, cells.getKey(), ids);
        }
      }
    }
    return "";
  }
}
