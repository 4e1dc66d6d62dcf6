package io.cellmesh.stack.chaos;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What one data centre must have made of its records.
 *
 * @param known the highest acknowledged ref_key of each row whose cells are 1, 2, 3 …
 * @param fates of single records of {@code trips.cells}, by topic, partition and offset
 * @param deliveries what a trigger over all its cells was called with; empty if there is none
 */
record Expected(Map<UUID, Long> known, Map<String, Fate> fates, Optional<Deliveries> deliveries) {

  /** Only the cells of some rows. */
  static Expected of(Map<UUID, Long> known) {
    return new Expected(known, Map.of(), Optional.empty());
  }
}
