package io.cellmesh.storage;

import io.cellmesh.cell.Cell;

/**
 * A cell with the offset of its record in the ingest topic.
 *
 * @param shard that its row key leads to
 */
public record OffsetCell(long offset, int shard, Cell cell) {}
