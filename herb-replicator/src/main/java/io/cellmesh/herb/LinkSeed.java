package io.cellmesh.herb;

import io.cellmesh.cell.RememberedLog;
import java.util.Map;

/**
 * What a link reads before its peer's log: the seed that the peer has for this data centre.
 *
 * @param id Kafka's ids of the peer's cluster and of the seed's topic
 * @param next the offset of the next record of the seed to read, by partition
 * @param log where the log goes on behind the seed, by the same partitions
 */
record LinkSeed(RememberedLog id, Map<Integer, Long> next, Map<Integer, Long> log) {
  LinkSeed {
    next = Map.copyOf(next);
    log = Map.copyOf(log);
  }
}
