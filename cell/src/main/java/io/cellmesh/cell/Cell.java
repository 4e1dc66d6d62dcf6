package io.cellmesh.cell;

import java.util.Objects;
import java.util.Optional;

/**
 * An immutable cell.
 *
 * @param origin where the cell was first written; empty for a cell of this data centre's own
 *     producers that has not been stored yet
 */
public record Cell(CellKey key, Body body, Optional<Origin> origin) {
  public Cell {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(origin, "origin");
  }
}
