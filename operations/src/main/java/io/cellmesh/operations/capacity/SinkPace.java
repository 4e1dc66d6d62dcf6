package io.cellmesh.operations.capacity;

/**
 * How a sink task works at a load. It puts what has come while it was putting: the more comes, and
 * the longer a put takes, the more cells has the next one, up to what a poll brings.
 *
 * @param put what each costs
 * @param putSeconds how long each takes
 * @param puts a second
 * @param busy what comes, in terms of what the largest puts would take; above 1 it falls behind
 */
public record SinkPace(PutCost put, double putSeconds, double puts, double busy) {
  /** {@code max.poll.records} of the shipped connector. */
  static final int MOST = 5000;

  private static final int STEPS = 200;

  /** The pace at which a task keeps up, or the fastest it has. */
  static SinkPace of(Layout layout, Load load, Limits limits) {
    double comes = load.stored(layout) / layout.busyTasks();
    double cells = 1;
    for (int i = 0; i < STEPS; i++) {
      double next = comes * seconds(PutCost.of(layout, load, cells), layout, limits);
      cells = Math.max(1, Math.min(MOST, (cells + next) / 2));
    }
    return ofPuts(layout, load, limits, cells);
  }

  /** The pace of a task whose puts have so many cells, for whatever reason. */
  static SinkPace ofPuts(Layout layout, Load load, Limits limits, double cells) {
    double comes = load.stored(layout) / layout.busyTasks();
    var put = PutCost.of(layout, load, cells);
    double largest = seconds(PutCost.of(layout, load, MOST), layout, limits);
    return new SinkPace(put, seconds(put, layout, limits), comes / cells, comes * largest / MOST);
  }

  /**
   * Copies are committed, then the primaries', side by side on all clusters, whose slowest counts;
   * the work of the worker's own is done by one thread a cluster, as far as there are processors
   * for the task.
   */
  private static double seconds(PutCost put, Layout layout, Limits limits) {
    double slowest = 1 + Coefficient.SLOWEST.value * Math.log(Math.max(1, put.primaries()));
    double commits = 2 * limits.commitMillis() / 1000 * slowest;
    double processors =
        Math.max(0.25, limits.workerCores() * layout.connectWorkers() / layout.busyTasks());
    double own = put.cells() * Coefficient.CELL_CPU.value + Coefficient.PUT_CPU.value;
    double spread =
        put.primaries() * Coefficient.PRIMARY_CPU.value / Math.min(processors, put.primaries());
    return commits + own / Math.min(1, processors) + spread;
  }
}
