package io.cellmesh.client;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Printable;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** What a read asks for: one cell, the latest of a column, or a row. */
public final class Lookup {
  private final UUID row;
  private final String column;
  private final OptionalLong ref;
  private final OptionalLong atMost;

  private Lookup(UUID row, String column, OptionalLong ref, OptionalLong atMost) {
    this.row = Objects.requireNonNull(row, "row");
    this.column = column;
    this.ref = ref;
    this.atMost = atMost;
    if (column != null) {
      Keys.check(column);
    }
  }

  /**
   * Asks for one cell.
   *
   * @throws IllegalArgumentException if the column's name is no Unicode
   */
  public static Lookup cell(CellKey key) {
    return new Lookup(
        key.rowKey(), key.columnName(), OptionalLong.of(key.refKey()), OptionalLong.empty());
  }

  /**
   * Asks for the cell with the highest ref_key of a column.
   *
   * @throws IllegalArgumentException if the column's name is no Unicode
   */
  public static Lookup latest(UUID row, String column) {
    return new Lookup(
        row, Objects.requireNonNull(column, "column"), OptionalLong.empty(), OptionalLong.empty());
  }

  /**
   * Asks for the cell with the highest ref_key of a column up to a given one.
   *
   * @throws IllegalArgumentException if the column's name is no Unicode
   */
  public static Lookup latest(UUID row, String column, long atMost) {
    return new Lookup(
        row,
        Objects.requireNonNull(column, "column"),
        OptionalLong.empty(),
        OptionalLong.of(atMost));
  }

  /** Asks for all cells of a row. */
  public static Lookup row(UUID row) {
    return new Lookup(row, null, OptionalLong.empty(), OptionalLong.empty());
  }

  UUID row() {
    return row;
  }

  Optional<String> column() {
    return Optional.ofNullable(column);
  }

  OptionalLong ref() {
    return ref;
  }

  OptionalLong atMost() {
    return atMost;
  }

  boolean isRow() {
    return column == null;
  }

  /** Whether a cell can be an answer. */
  boolean admits(CellKey key) {
    return key.rowKey().equals(row)
        && (column == null || key.columnName().equals(column))
        && (ref.isEmpty() || key.refKey() == ref.getAsLong())
        && (atMost.isEmpty() || key.refKey() <= atMost.getAsLong());
  }

  /** Names what is asked for to a person. */
  @Override
  public String toString() {
    var text = new StringBuilder(row.toString());
    column().ifPresent(name -> text.append('/').append(Printable.of(name)));
    ref.ifPresent(key -> text.append('/').append(key));
    atMost.ifPresent(key -> text.append("/<=").append(key));
    return text.toString();
  }
}
