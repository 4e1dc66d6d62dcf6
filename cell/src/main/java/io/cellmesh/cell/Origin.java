package io.cellmesh.cell;

import java.util.Objects;

/**
 * Where a cell was first written.
 *
 * @param datacenter the data centre's name
 * @param id the cell's added_id there; it orders the cells of one origin and shard, and is no
 *     identity (a failover may hand an id out again)
 */
public record Origin(String datacenter, long id) {
  public Origin {
    Objects.requireNonNull(datacenter, "datacenter");
  }
}
