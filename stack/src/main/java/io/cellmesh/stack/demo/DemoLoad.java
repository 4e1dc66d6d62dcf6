package io.cellmesh.stack.demo;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.topics.load.CellSequence;
import io.cellmesh.topics.load.HoldBack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What the demo loads.
 *
 * @param bulk as fast as it goes
 * @param single afterwards, one by one, to time them
 * @param areTrips whether they are made-up trips, which can be billed
 */
public record DemoLoad(CellSequence bulk, Supplier<CellSequence> single, boolean areTrips)
    implements AutoCloseable {
  private static final int PROBES = 40;

  /** The last cells of a source are the single ones. */
  public static DemoLoad heldBack(CellSequence source) {
    var bulk = new HoldBack(source, PROBES);
    return new DemoLoad(bulk, bulk::rest, false);
  }

  /** The single cells; only after the bulk has come to its end. */
  public List<Cell> probes() throws IOException, InvalidCellException {
    var cells = new ArrayList<Cell>();
    try (var source = single.get()) {
      for (var cell = source.next(); cell.isPresent(); cell = source.next()) {
        cells.add(cell.get());
      }
    }
    return cells;
  }

  @Override
  public void close() throws IOException {
    bulk.close();
  }
}
