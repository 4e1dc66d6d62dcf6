package io.cellmesh.worker.position;

import io.cellmesh.cell.CellKey;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is to be looked at for those who wait for cells of one cluster.
 *
 * @param offsets by partition whose position is wanted, the lowest offset that is waited for
 * @param keys whose rows are wanted, of the master
 * @param minions whether the minions' positions are wanted as well
 * @param secured whether somebody waits for no more than that
 */
public record Question(
    Map<Integer, Long> offsets, List<CellKey> keys, boolean minions, boolean secured) {
  public Question {
    offsets = Map.copyOf(offsets);
    keys = List.copyOf(keys);
  }

  /** The partitions whose positions are wanted. */
  public Set<Integer> partitions() {
    return offsets.keySet();
  }
}
