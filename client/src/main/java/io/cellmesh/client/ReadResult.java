package io.cellmesh.client;

import io.cellmesh.cell.LogRecord;
import java.util.List;
import java.util.Optional;

/**
 * What a read found.
 *
 * @param cells by column and ref_key; none if there are none
 * @param source which server answered
 */
public record ReadResult(List<LogRecord> cells, Source source) {
  public ReadResult {
    cells = List.copyOf(cells);
  }

  /** The cell, of a read that asks for one; empty if there is none. */
  public Optional<LogRecord> cell() {
    return cells.stream().findFirst();
  }
}
