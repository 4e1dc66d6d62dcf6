package io.cellmesh.operations.capacity;

/**
 * What no code says: measured by {@code cellmesh bench capacity}, as docs/capacity.md tells, whose
 * table a test compares with this; two are computed from the format. Seconds are of one processor
 * of that machine.
 */
enum Coefficient {
  WORKER_THREADS(35, Unit.COUNT, "threads of a Connect worker without connectors"),
  WORKER_FILES(163, Unit.COUNT, "its open files"),
  WORKER_HEAP(21e6, Unit.MB, "its live heap"),
  WORKER_CPU(20e-3, Unit.COUNT, "processors that it takes when nothing comes"),
  TASK_THREADS(11, Unit.COUNT, "threads of a sink task beside its pools and puts"),
  TASK_FILES(7, Unit.COUNT, "its open files beside its connections"),
  TASK_HEAP(7.5e6, Unit.MB, "its live heap beside its connections"),
  SOURCE_THREADS(15, Unit.COUNT, "threads of a source connector with its task"),
  SOURCE_FILES(9, Unit.COUNT, "its open files beside its connections"),
  SOURCE_HEAP(2.1e6, Unit.MB, "its live heap beside its connections"),
  CONNECTION_HEAP(60e3, Unit.KB, "live heap of a connection that is kept, with its pool"),
  KEPT_ON_MASTER(2, Unit.COUNT, "connections that a sink task keeps to a master while it writes"),
  SLOWEST(
      0.25,
      Unit.COUNT,
      "for each e-fold of clusters, how much longer the slowest of their commits takes"),
  PUT_CPU(0.55e-3, Unit.MICROS, "processor of the worker for a put"),
  PRIMARY_CPU(0.35e-3, Unit.MICROS, "for each primary of it, transaction and copy"),
  CELL_CPU(50e-6, Unit.MICROS, "for each cell of it"),
  SOURCE_TRANSACTION_CPU(200e-6, Unit.MICROS, "of a source for a transaction of the binlog"),
  SOURCE_CELL_CPU(70e-6, Unit.MICROS, "for a cell of it"),
  ASKED_CPU(270e-6, Unit.MICROS, "of the worker for a statement that asks, at rest or for reaping"),
  MASTER_COMMIT_CPU(0.62e-3, Unit.MICROS, "of a master for a commit"),
  MASTER_CELL_CPU(0.1e-3, Unit.MICROS, "for a cell with its copy"),
  MASTER_DELETE_CPU(
      0.18e-3,
      Unit.MICROS,
      "for the copies of one primary that go, beside their commit; measured by itself"),
  MYSQL_ASKED_CPU(
      0.75e-3, Unit.MICROS, "of a server for a statement that asks, with what it does unasked"),
  MINION_COMMIT_CPU(0.63e-3, Unit.MICROS, "of a minion for a transaction"),
  MINION_CELL_CPU(50e-6, Unit.MICROS, "for a cell with its copy"),
  STORED(
      0.35,
      Unit.COUNT,
      "a stored body, in terms of the cell's bytes in the log; by the format, not measured"),
  ROW_BYTES(
      150, Unit.BYTES, "a row beside its body, its keys included; by the format, not measured"),
  TRANSACTION_BYTES(600, Unit.BYTES, "a transaction in the binlog"),
  EVENT_BYTES(60, Unit.BYTES, "a cell in the binlog beside its body"),
  COMMIT_RECEIVED(700, Unit.BYTES, "what a master receives for a commit"),
  CELL_RECEIVED(150, Unit.BYTES, "what it receives for a cell or a copy beside its body"),
  ASKED_RECEIVED(200, Unit.BYTES, "what it receives with a statement that asks");

  final double value;
  private final Unit unit;
  private final String meaning;

  Coefficient(double value, Unit unit, String meaning) {
    this.value = value;
    this.unit = unit;
    this.meaning = meaning;
  }

  /** How a value reads. */
  enum Unit {
    COUNT("", 1),
    BYTES(" bytes", 1),
    KB(" kB", 1e-3),
    MB(" MB", 1e-6),
    MICROS(" µs", 1e6);

    private final String suffix;
    private final double scale;

    Unit(String suffix, double scale) {
      this.suffix = suffix;
      this.scale = scale;
    }
  }

  /** The row of the page's table. */
  String row() {
    double shown = Math.round(value * unit.scale * 100) / 100.0;
    var number = shown == Math.rint(shown) ? String.valueOf((long) shown) : String.valueOf(shown);
    return "| %s | %s%s |".formatted(meaning, number, unit.suffix);
  }
}
