package io.cellmesh.herb;

import io.cellmesh.cell.RememberedLog;
import java.util.Map;

/**
 * What a link has made sure of before it runs.
 *
 * @param terms that it holds records against
 * @param log that it reads
 * @param next the offset of the next record to read, by partition
 */
record LinkBegin(LinkTerms terms, RememberedLog log, Map<Integer, Long> next) {
  LinkBegin {
    next = Map.copyOf(next);
  }
}
