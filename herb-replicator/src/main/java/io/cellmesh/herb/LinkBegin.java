package io.cellmesh.herb;

import io.cellmesh.cell.RememberedLog;
import java.util.Map;
import java.util.Optional;

/**
 * What a link has made sure of before it runs.
 *
 * @param terms that it holds records against
 * @param log that it reads
 * @param next the offset of the next record to read, by partition; none of those whose seed is read
 *     first
 * @param seed that is read first, if there is one
 */
record LinkBegin(
    LinkTerms terms, RememberedLog log, Map<Integer, Long> next, Optional<LinkSeed> seed) {
  LinkBegin {
    next = Map.copyOf(next);
  }
}
