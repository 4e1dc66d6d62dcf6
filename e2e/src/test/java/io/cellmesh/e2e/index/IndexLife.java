package io.cellmesh.e2e.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.FieldType;
import io.cellmesh.cell.index.IndexColumn;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexField;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Report;
import io.cellmesh.storage.Pools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/** An index is built, verified, switched to and dropped while cells and queries go on. */
final class IndexLife {
  private static final int AFTERWARDS = 200;

  private final FaultStack stack;
  private final IndexFigures figures;
  private final Topology topology;

  IndexLife(FaultStack stack, IndexFigures figures) {
    this.stack = stack;
    this.figures = figures;
    this.topology = stack.topology();
  }

  void switched() throws Exception {
    long cells = TripLoad.bring(stack.bootstrap(), topology.topics(), 0, figures.trips());
    succeed("verify");
    try (var pools = new Pools(new Credentials("root", ""));
        var load = TripLoad.start(stack.bootstrap(), topology.topics(), figures.rate())) {
      var drivers = Drivers.of(topology, pools);
      Report.line("index: %d trips, %d cells", drivers.trips(), cells);
      inquiry(pools, drivers, 1).ask(figures.queries());
      var asked =
          asking(
              inquiry(pools, drivers, 2),
              () -> {
                var second = write(second());
                timed("create", "index", "create", second.toString());
                timed("switch", "index", "switch", Inquiry.INDEX, "--to", "2");
                inquiry(pools, drivers, 3).ask(figures.queries());
                timed("drop", "index", "drop", Inquiry.INDEX, "--of-version", "1", "--yes");
                inquiry(pools, drivers, 4).ask(figures.queries());
                return null;
              });
      Report.line(
          "index: %d questions before and after, %d during, every answer whole; %d cells meanwhile",
          3 * figures.queries(), asked, load.accepted());
    }
    Report.line("%s", succeed("index", "verify"));
    succeed("verify");
  }

  void builtOfTheTables() throws Exception {
    try (var load = TripLoad.start(stack.bootstrap(), topology.topics(), figures.rate())) {
      var city = write(by("city"));
      var currency = write(by("fare.currency"));
      timed(
          "create of the tables",
          "index",
          "create",
          "--from",
          "tables",
          city.toString(),
          currency.toString());
      Report.line("index: %d cells meanwhile", load.accepted());
    }
    Report.line("%s", succeed("index", "verify", "trips_of_city", "trips_of_fare_currency"));
    assertThat(stack.command("index", "verify", "trips_of_town").exit())
        .as("of an index that is not there")
        .isEqualTo(ExitCodes.FAILED);
    misfit();
    Report.line("%s", succeed("index", "status"));
    try (var load = TripLoad.start(stack.bootstrap(), topology.topics(), figures.rate())) {
      drop("trips_of_city");
      Report.line("index: %d cells while one of two was dropped", load.accepted());
    }
    TripLoad.bring(stack.bootstrap(), topology.topics(), figures.trips(), AFTERWARDS);
    Report.line("%s", succeed("index", "verify", "trips_of_fare_currency"));
    succeed("status");
    drop("trips_of_fare_currency");
    succeed("verify");
    succeed("status");
  }

  /** A cell that fits neither is reported for both, and neither comes to differ. */
  private void misfit() throws Exception {
    var body = "{\"city\": \"Oslo\", \"fare\": {\"currency\": \"NOK\", \"amount\": true}}";
    succeed("put", "new", "BASE", "1", body);
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(succeed("index", "unindexed"))
                    .contains("trips_of_city ", "trips_of_fare_currency ")
                    .contains("fare_amount", "must be a number, not a boolean", "/BASE/1"));
    succeed("index", "verify", "trips_of_city", "trips_of_fare_currency");
  }

  private void drop(String index) {
    timed("drop", "index", "drop", index, "--of-version", "1", "--also-serving", "--yes");
  }

  /** The first with one more column and two more fields. */
  private static IndexDefinition second() throws Exception {
    var first = IndexIT.definition().definition();
    var columns = new ArrayList<>(first.columns());
    columns.add(
        new IndexColumn(
            "STATUS",
            List.of(
                IndexField.of("status", FieldType.STRING),
                IndexField.of("attempt", FieldType.INTEGER))));
    return new IndexDefinition(first.name(), 2, first.datastore(), columns);
  }

  /** Of the trips by one of their texts. */
  private static IndexDefinition by(String path) {
    var shardField = IndexField.of(path, FieldType.STRING);
    return new IndexDefinition(
        "trips_of_" + shardField.name(),
        "trips",
        List.of(
            new IndexColumn(
                "BASE", List.of(shardField, IndexField.of("fare.amount", FieldType.DECIMAL)))));
  }

  private Path write(IndexDefinition definition) throws Exception {
    return Files.writeString(
        stack.directory().resolve(definition.label() + ".definition"), definition.toYaml());
  }

  private Inquiry inquiry(Pools pools, Drivers drivers, long seed) {
    return new Inquiry(stack, topology, pools, drivers, seed);
  }

  /**
   * Asks without a pause while something is done.
   *
   * @return how often
   */
  private static long asking(Inquiry inquiry, Callable<Void> work) throws Exception {
    var done = new AtomicBoolean();
    var thread = Executors.newSingleThreadExecutor();
    try {
      var asking =
          thread.submit(
              () -> {
                while (!done.get()) {
                  inquiry.ask();
                }
                return inquiry.asked();
              });
      try {
        work.call();
      } finally {
        done.set(true);
      }
      return asking.get();
    } finally {
      thread.shutdown();
    }
  }

  private void timed(String what, String... words) {
    long start = System.nanoTime();
    succeed(words);
    Report.line(
        "index: %s took %s", what, Report.text(Duration.ofNanos(System.nanoTime() - start)));
  }

  private String succeed(String... words) {
    var command = stack.command(words);
    assertThat(command.exit()).as(command.out() + command.err()).isZero();
    return command.out();
  }
}
