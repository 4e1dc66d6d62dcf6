package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.Cell;

/**
 * A cell as its producer meant it.
 *
 * @param cluster that owns its shard
 */
record Produced(int shard, String cluster, Cell cell) {
  @Override
  public String toString() {
    return "%s of shard %d of %s: %s"
        .formatted(cell.key().refKey(), shard, cluster, cell.body().toJson());
  }
}
