package io.cellmesh.cli.commands;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.operations.OperationException;
import io.cellmesh.stack.demo.DemoLoad;
import io.cellmesh.stack.demo.TripGenerator;
import io.cellmesh.topics.load.CellSequence;
import io.cellmesh.topics.load.CsvCells;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** The options that say which cells to load. */
final class LoadOptions {
  /** What a made-up trip has on average, to know how long a bar is. */
  private static final double CELLS_PER_TRIP = 2.7;

  /** How many made-up trips the demo sends one cell at a time. */
  private static final int PROBE_TRIPS = 15;

  private static final int SAMPLE = 2_000;

  @Option(
      names = "--trips",
      paramLabel = "N",
      defaultValue = "2000",
      description = "How many trips to make up (default: 2000).")
  private long trips;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "2016",
      description = "What the made-up trips follow from (default: 2016).")
  private long seed;

  @Option(names = "--input", paramLabel = "FILE", description = "A CSV file instead.")
  private Optional<Path> input = Optional.empty();

  @Option(
      names = "--key",
      paramLabel = "FIELD",
      description =
          "CSV: the field that makes the row key; later rows of the same value are later versions. "
              + "Without it each row is a row of its own.")
  private Optional<String> key = Optional.empty();

  @Option(
      names = "--layout",
      paramLabel = "LAYOUT",
      description =
          "CSV: which cells, such as BASE=pickup,dropoff;FARE=fare (default: all in BASE).")
  private Optional<String> layout = Optional.empty();

  Optional<Path> input() {
    return input;
  }

  /**
   * Opens what is to be loaded.
   *
   * @param remark told in one line what was changed about it
   */
  CellSequence open(Consumer<String> remark) throws IOException {
    if (trips < 0) {
      throw OperationException.invalid("--trips: a count is not negative");
    }
    if (input.isEmpty()) {
      return new TripGenerator(seed, 0, trips);
    }
    var reader = Files.newBufferedReader(input.get());
    try {
      var cells = new CsvCells(reader, layout, key);
      if (!cells.renamed().isEmpty()) {
        remark.accept(
            "the header of %s repeats names; the fields are loaded as %s"
                .formatted(input.get(), String.join(", ", cells.renamed())));
      }
      return cells;
    } catch (IllegalArgumentException e) {
      reader.close();
      throw OperationException.invalid("--" + e.getMessage());
    }
  }

  /** About how many cells will come. */
  long expectedCells() throws IOException {
    if (input.isEmpty()) {
      return Math.round(trips * CELLS_PER_TRIP);
    }
    long cells = layout.map(l -> (long) l.split(";").length).orElse(1L);
    try (var lines = Files.lines(input.get())) {
      return Math.max(1, lines.count() - 1) * cells;
    }
  }

  /** What the demo loads: most cells at once, the last ones one by one. */
  DemoLoad openForDemo(Consumer<String> remark) throws IOException {
    if (input.isPresent()) {
      return DemoLoad.heldBack(open(remark));
    }
    long probes = Math.min(PROBE_TRIPS, trips / 2);
    return new DemoLoad(
        new TripGenerator(seed, 0, trips - probes),
        () -> new TripGenerator(seed, trips - probes, probes),
        true);
  }

  /** Some of the first cells. */
  List<Cell> sample() throws IOException, InvalidCellException {
    var sample = new ArrayList<Cell>();
    try (var source = open(remark -> {})) {
      for (var cell = source.next();
          cell.isPresent() && sample.size() < SAMPLE;
          cell = source.next()) {
        sample.add(cell.get());
      }
    }
    return sample;
  }
}
