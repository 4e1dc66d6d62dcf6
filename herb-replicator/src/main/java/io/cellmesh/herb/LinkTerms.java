package io.cellmesh.herb;

import io.cellmesh.cell.Shards;
import java.util.Set;

/**
 * What a link holds the records of its peer's log against.
 *
 * @param peer the data centre whose own cells are taken
 * @param shards S and P, which are the same everywhere
 * @param reached the data centres whose cells come here without this link: this one's own, and
 *     those of all links
 * @param proven whether the peer itself has said that it is this data centre with these shards; so
 *     a record that says something else is damage of that record, and else may show that the log is
 *     another one
 */
record LinkTerms(String peer, Shards shards, Set<String> reached, boolean proven) {
  LinkTerms {
    reached = Set.copyOf(reached);
  }
}
