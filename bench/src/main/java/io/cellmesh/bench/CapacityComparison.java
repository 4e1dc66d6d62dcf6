package io.cellmesh.bench;

import io.cellmesh.bench.CapacityFigures.Line;
import io.cellmesh.bench.CapacitySampler.Peak;
import io.cellmesh.operations.capacity.Capacity;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Puts what was counted on a stack beside what the model says of it. */
final class CapacityComparison {
  /** To each master: the harness's, and the sampler's. */
  private static final int OWN_CONNECTIONS_TO_MASTER = 2;

  /** The sampler's. */
  private static final int OWN_CONNECTIONS_TO_MINION = 1;

  private final Capacity model;
  private final int masters;
  private final int minions;
  private final StackCounters rest;
  private final Seen seen;
  private final List<Line> lines = new ArrayList<>();

  private CapacityComparison(Capacity model, StackCounters rest, Seen seen) {
    this.model = model;
    this.masters = model.layout().clusters();
    this.minions = masters * model.layout().minions();
    this.rest = rest;
    this.seen = seen;
  }

  /**
   * What was seen of one rate.
   *
   * @param counted while cells came, and for a while after
   * @param loaded of its seconds those in which they came
   * @param peak while they came
   * @param heap live bytes of the worker afterwards
   * @param beans what the sink told then
   */
  record Seen(StackCounters counted, double loaded, Peak peak, long heap, SinkBeans beans) {
    private double tail() {
      return counted.seconds() - loaded;
    }
  }

  /**
   * Compares in the order in which it is shown.
   *
   * @param model of what was run, told what it can't know
   * @param rest what is counted although no cell comes
   */
  static List<Line> lines(Capacity model, StackCounters rest, Seen seen) {
    var comparison = new CapacityComparison(model, rest, seen);
    comparison.connections();
    comparison.worker();
    comparison.statements();
    comparison.processors();
    comparison.bytes();
    comparison.times();
    return comparison.lines;
  }

  private void connections() {
    var peak = seen.peak;
    add(
        "connections_master",
        "connections to a master",
        peak.masterConnections(masters) - OWN_CONNECTIONS_TO_MASTER,
        model.toMaster().kept());
    if (minions > 0) {
      add(
          "connections_minion",
          "connections to a minion",
          peak.minionConnections(minions) - OWN_CONNECTIONS_TO_MINION,
          model.toMinion().kept());
    }
  }

  private void worker() {
    var worker = model.worker();
    add("threads", "threads of the worker", seen.peak.threads(), worker.threads());
    add(
        "files",
        "open files of the worker",
        seen.peak.files(),
        worker.files() - worker.connectionsMost() + worker.connections());
    add("heap_mb", "live heap of the worker, MB", seen.heap / 1e6, worker.heap() / 1e6);
  }

  private void statements() {
    var mysql = model.mysql();
    add(
        "statements",
        "statements a second on a master",
        ofMaster(ServerCounters::statements) - seen.peak.samples() / seen.loaded,
        mysql.statements());
    add(
        "entity_commits",
        "of these commits but those of copies that come",
        ofMaster(master -> master.get("Com_commit")),
        mysql.entityCommits() + mysql.offsetCommits() / 2 + mysql.reapCommits());
    add(
        "reap_deletes",
        "of these deletes of copies",
        ofMaster(master -> master.get("Com_delete")),
        mysql.reapDeletes());
    add(
        "commits",
        "commits a second on a master",
        ofMaster(ServerCounters::transactions),
        mysql.commits());
  }

  private void processors() {
    var mysql = model.mysql();
    add(
        "worker_cpu",
        "processors of the worker",
        perSecond(StackCounters::workerCpu),
        model.worker().cores());
    add("master_cpu", "processors of a master", ofMaster(ServerCounters::cpu), mysql.masterCores());
    if (minions > 0) {
      add(
          "minion_cpu",
          "processors of a minion",
          perSecond(stack -> stack.minions().cpu()) / minions,
          mysql.minionCores());
    }
  }

  private void bytes() {
    add(
        "binlog_kb",
        "kB a second of a master's binlog",
        ofMaster(ServerCounters::binlogBytes) / 1e3,
        model.mysql().binlogBytes() / 1e3);
    add(
        "received_kb",
        "kB a second to all masters",
        perSecond(stack -> stack.masters().get("Bytes_received")) / 1e3,
        model.network().toMasters() / 1e3);
  }

  private void times() {
    add("put_ms", "ms of a put", seen.beans.putMillis(), model.pace().putSeconds() * 1000);
    add(
        "statements_rest",
        "statements a second on a master at rest",
        rest.masters().statements() / rest.seconds() / masters,
        model.mysql().statementsAtRest());
  }

  private void add(String name, String label, double measured, double predicted) {
    lines.add(new Line(name, label, measured, predicted));
  }

  private double ofMaster(ToDoubleFunction<ServerCounters> count) {
    return perSecond(stack -> count.applyAsDouble(stack.masters())) / masters;
  }

  /** Of the time in which cells came, for it was as at rest afterwards. */
  private double perSecond(ToDoubleFunction<StackCounters> count) {
    double atRest = count.applyAsDouble(rest) / rest.seconds();
    return (count.applyAsDouble(seen.counted) - atRest * seen.tail()) / seen.loaded;
  }
}
