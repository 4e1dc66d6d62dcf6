package io.cellmesh.operations.capacity;

import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.capacity.Figure.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an instance needs at a load, and what of it there is too little of.
 *
 * @param pace of each sink task
 * @param reap how each lets copies go
 * @param worker of each Connect worker
 * @param mysql of each MySQL server
 * @param kafka of a data centre
 * @param network of a data centre
 */
public record Capacity(
    Layout layout,
    Load load,
    Limits limits,
    SinkPace pace,
    ReapPace reap,
    WorkerCost worker,
    MySqlCost mysql,
    KafkaCost kafka,
    NetworkCost network) {
  /** Partitions that a broker carries well, by Kafka's own rule. */
  private static final int PARTITIONS_OF_BROKER = 4000;

  /** Copies that stay longer than this are more than memory holds well. */
  private static final int LONG_PASS = 60;

  /** The highest load that is looked at, in multiples of the one that is asked for. */
  private static final double MOST = 1 << 16;

  private static final int STEPS = 40;

  /**
   * @throws OperationException if cells are to have more copies than there are other clusters: the
   *     sink writes one to each, and no more
   */
  public Capacity {
    int most = layout.clusters() - 1;
    if (load.copies() > most) {
      throw OperationException.invalid(
          "copies: %d, and at most %d with %d clusters: each lies on another one than its cell"
              .formatted(load.copies(), most, layout.clusters()));
    }
  }

  /** Computes what the layout needs at the load. */
  public static Capacity of(Layout layout, Load load, Limits limits) {
    return of(layout, load, limits, SinkPace.of(layout, load, limits));
  }

  /**
   * Computes the same with puts of a size that was seen, which depends on how fast the machine is
   * just then.
   *
   * @param cells of a put
   */
  public static Capacity ofPuts(Layout layout, Load load, Limits limits, double cells) {
    return of(layout, load, limits, SinkPace.ofPuts(layout, load, limits, cells));
  }

  private static Capacity of(Layout layout, Load load, Limits limits, SinkPace pace) {
    var reap = ReapPace.of(layout, load, pace, limits);
    var mysql = MySqlCost.of(layout, load, pace, reap);
    var kafka = KafkaCost.of(layout, load);
    return new Capacity(
        layout,
        load,
        limits,
        pace,
        reap,
        WorkerCost.of(layout, load, pace, mysql),
        mysql,
        kafka,
        NetworkCost.of(layout, load, mysql, kafka));
  }

  /** Figures of one kind. */
  public record Section(String title, List<Figure> figures) {
    public Section {
      figures = List.copyOf(figures);
    }
  }

  /** Counts connections to a master, by who has them. */
  public Connections toMaster() {
    return Connections.toMaster(layout);
  }

  /** Counts connections to the minion that the source reads. */
  public Connections toMinion() {
    return Connections.toMinion(layout);
  }

  /** Lists what machines have only so much of, what is nearest to its limit first. */
  public List<Bound> bounds() {
    var bounds =
        new ArrayList<>(
            List.of(
                connections("connections_of_master", "connections to a master", toMaster()),
                files(),
                threads(),
                heap(),
                tables(),
                new Bound(
                    "sink_busy",
                    "time of a sink task",
                    pace.busy(),
                    1,
                    Unit.COUNT,
                    layout.tasks() < layout.shards().partitions()
                        ? "more sink tasks (tasks.max), up to a task a partition, and processors for them"
                        : "fewer storage clusters with more shards each: every task has one partition already"),
                new Bound(
                    "worker_cores",
                    "processors of a Connect worker",
                    worker.cores(),
                    limits.workerCores(),
                    Unit.CORES,
                    "more Connect workers: connectors and tasks spread over them by themselves"),
                new Bound(
                    "master_cores",
                    "processors of a master",
                    mysql.masterCores(),
                    limits.mysqlCores(),
                    Unit.CORES,
                    "more storage clusters, or larger servers; with small puts fewer sink tasks, which commit less often"),
                new Bound(
                    "reap_seconds",
                    "seconds of a look for copies that may go",
                    reap.seconds(),
                    LONG_PASS,
                    Unit.SECONDS,
                    "more sink tasks, which each let fewer copies go, or fewer storage clusters"),
                new Bound(
                    "partitions_of_broker",
                    "partitions of a broker",
                    kafka.replicas(),
                    PARTITIONS_OF_BROKER,
                    Unit.COUNT,
                    "more brokers; P can't be changed once an instance is there")));
    if (layout.minions() > 0) {
      bounds.add(connections("connections_of_minion", "connections to a minion", toMinion()));
    }
    bounds.sort(Comparator.comparingDouble(Bound::share).reversed());
    return bounds;
  }

  /**
   * Finds the cells a second and data centre at which the first limit is reached; empty if by none.
   */
  public Optional<Double> mostCells() {
    double low = 0;
    double high = load.rate() * MOST;
    if (!exceeded(high)) {
      return Optional.empty();
    }
    for (int i = 0; i < STEPS; i++) {
      double middle = (low + high) / 2;
      if (exceeded(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return Optional.of(low);
  }

  private boolean exceeded(double rate) {
    return of(layout, load.at(rate), limits).bounds().stream().anyMatch(Bound::exceeded);
  }

  /** Lists everything for people, by subject. */
  public List<Section> sections() {
    return CapacitySections.of(this);
  }

  /** Maps everything for machines, by name. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    sections()
        .forEach(
            section -> section.figures().forEach(f -> document.put(f.name(), rounded(f.value()))));
    var bounds = new ArrayList<Map<String, Object>>();
    for (var bound : bounds()) {
      var one = new LinkedHashMap<String, Object>();
      one.put("name", bound.name());
      one.put("needed", rounded(bound.needed()));
      one.put("limit", rounded(bound.limit()));
      one.put("exceeded", bound.exceeded());
      one.put("next", bound.nextStep());
      bounds.add(one);
    }
    document.put("most_cells_per_second", mostCells().map(Capacity::rounded).orElse(null));
    document.put("bounds", bounds);
    return document;
  }

  private Bound connections(String name, String label, Connections to) {
    return new Bound(
        name,
        label,
        to.most(),
        limits.connections(),
        Unit.COUNT,
        "max_connections of at least %d there; each costs MySQL less than a megabyte at rest"
            .formatted((long) Math.ceil(to.most() * 1.2)));
  }

  private Bound files() {
    return new Bound(
        "worker_files",
        "open files of a Connect worker",
        worker.files(),
        limits.files(),
        Unit.COUNT,
        "a higher limit (LimitNOFILE of systemd, ulimit -n), or more Connect workers");
  }

  private Bound threads() {
    return new Bound(
        "worker_threads",
        "threads of a Connect worker",
        worker.threads(),
        limits.threads(),
        Unit.COUNT,
        "a higher limit (TasksMax of systemd, pids of a container), or more Connect workers");
  }

  private Bound heap() {
    return new Bound(
        "worker_heap",
        "heap of a Connect worker, with a backlog",
        worker.heapMost(),
        (double) limits.heapMiB() * (1 << 20),
        Unit.BYTES,
        "a larger heap (KAFKA_HEAP_OPTS), or more Connect workers");
  }

  private Bound tables() {
    return new Bound(
        "open_tables",
        "tables that a master has open",
        mysql.openTables(),
        limits.tables(),
        Unit.COUNT,
        "table_open_cache and table_definition_cache of that size: beyond it each statement opens a table anew");
  }

  private static Number rounded(double value) {
    double rounded = Math.abs(value) >= 100 ? Math.rint(value) : Math.rint(value * 1000) / 1000;
    return rounded == Math.rint(rounded) ? (Number) (long) rounded : (Number) rounded;
  }
}
