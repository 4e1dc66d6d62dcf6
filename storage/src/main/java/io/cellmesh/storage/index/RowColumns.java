package io.cellmesh.storage.index;

import java.util.List;

/**
 * Which cells of the rows come with an index's entries.
 *
 * @param latest only the cell with the highest ref_key of each column, else all cells
 * @param names only of these columns; of all if empty
 */
public record RowColumns(boolean latest, List<String> names) {
  /** The latest cell of every column. */
  public static final RowColumns LATEST = new RowColumns(true, List.of());

  /** Every cell. */
  public static final RowColumns ALL = new RowColumns(false, List.of());

  public RowColumns {
    names = List.copyOf(names);
  }

  /** The same of some columns only. */
  public RowColumns named(String... columns) {
    return new RowColumns(latest, List.of(columns));
  }
}
