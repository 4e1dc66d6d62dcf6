package io.cellmesh.bench;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Shards;
import java.util.UUID;

/**
 * A cell as it lies in an entity table.
 *
 * @param body in its stored form
 */
record EntityRow(int shard, UUID rowKey, String columnName, long refKey, byte[] body) {

  static EntityRow of(BenchCell cell, Shards shards) {
    try {
      return new EntityRow(
          shards.of(cell.rowKey()),
          cell.rowKey(),
          cell.columnName(),
          cell.refKey(),
          Body.ofJson(cell.body()).stored());
    } catch (InvalidCellException e) {
      throw new IllegalArgumentException("a made-up cell is none", e);
    }
  }
}
