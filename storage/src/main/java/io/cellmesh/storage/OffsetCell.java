package io.cellmesh.storage;

import io.cellmesh.cell.Cell;

/** A cell with the offset of its record in the ingest topic. */
public record OffsetCell(long offset, Cell cell) {}
