package io.cellmesh.client;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** A cell to be written. */
public record NewCell(CellKey key, Body body) {
  /**
   * @throws IllegalArgumentException if the column's name is no Unicode
   */
  public NewCell {
    Keys.check(key.columnName());
    Objects.requireNonNull(body, "body");
  }

  /**
   * Makes a cell of a JSON value.
   *
   * @throws InvalidCellException if the body is no JSON or breaks a rule, naming it
   * @throws IllegalArgumentException if the column's name is no Unicode
   */
  public static NewCell of(UUID row, String column, long ref, String json)
      throws InvalidCellException {
    return new NewCell(new CellKey(row, column, ref), Body.ofJson(json));
  }

  Cell cell() {
    return new Cell(key, body, Optional.empty());
  }
}
