package io.cellmesh.topics.load;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.InvalidCellException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;

/** A source without its last cells, which can be had afterwards. */
public final class HoldBack implements CellSequence {
  private final CellSequence source;
  private final int count;
  private final ArrayDeque<Cell> held = new ArrayDeque<>();

  /**
   * @param count how many cells to keep
   */
  public HoldBack(CellSequence source, int count) {
    this.source = source;
    this.count = count;
  }

  @Override
  public Optional<Cell> next() throws IOException, InvalidCellException {
    while (held.size() <= count) {
      var cell = source.next();
      if (cell.isEmpty()) {
        return Optional.empty();
      }
      held.add(cell.get());
    }
    return Optional.of(held.remove());
  }

  /** The cells that were kept; all of them once {@link #next} has found the end. */
  public CellSequence rest() {
    Iterator<Cell> cells = held.iterator();
    return new CellSequence() {
      @Override
      public Optional<Cell> next() {
        return cells.hasNext() ? Optional.of(cells.next()) : Optional.empty();
      }

      @Override
      public long trips() {
        return 0;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public long trips() {
    return source.trips();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
