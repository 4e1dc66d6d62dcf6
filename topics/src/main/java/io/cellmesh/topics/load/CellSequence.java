package io.cellmesh.topics.load;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.InvalidCellException;
import java.io.IOException;
import java.util.Optional;

/** Cells to load, in the order in which they are produced. */
public interface CellSequence extends AutoCloseable {

  /**
   * The next cell; empty at the end.
   *
   * @throws InvalidCellException if the input holds what can't become a cell
   */
  Optional<Cell> next() throws IOException, InvalidCellException;

  /** How many trips have begun so far. */
  long trips();

  @Override
  void close() throws IOException;
}
