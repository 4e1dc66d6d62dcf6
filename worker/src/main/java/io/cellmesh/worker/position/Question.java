package io.cellmesh.worker.position;

import io.cellmesh.cell.CellKey;
import java.util.List;
import java.util.Set;

/**
 * What is to be looked at for those who wait for cells of one cluster.
 *
 * @param partitions whose positions are wanted
 * @param keys whose rows are wanted, of the master
 * @param minions whether the minions' positions are wanted as well
 * @param secured whether somebody waits for no more than that
 */
public record Question(
    Set<Integer> partitions, List<CellKey> keys, boolean minions, boolean secured) {
  public Question {
    partitions = Set.copyOf(partitions);
    keys = List.copyOf(keys);
  }
}
