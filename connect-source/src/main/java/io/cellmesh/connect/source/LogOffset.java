package io.cellmesh.connect.source;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.TopologyException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How far the log of a storage cluster has come; it is what Connect stores with the records.
 *
 * <p>It counts neither binlog files nor events within a transaction, both of which differ from
 * server to server, so that any server of the cluster can be read on from it.
 *
 * @param gtids transactions whose cells are all in the log; none only where a rebuild is asked for
 * @param behind the last row in the log, if it lies within the next transaction, or within the
 *     first shard of the rebuild
 * @param rebuild shards whose cells are still to be read from the entity tables, before the binlog
 */
record LogOffset(Optional<String> gtids, Optional<Place> behind, Optional<ShardSet> rebuild) {
  private static final String GTIDS = "gtids";
  private static final String SHARD = "shard";
  private static final String ADDED_ID = "added_id";
  static final String REBUILD = "rebuild";

  /** Why the task has ended; the next one, which a person has started, does not heed it. */
  static final String FAILED = "failed";

  private static final Set<String> KEYS = Set.of(GTIDS, SHARD, ADDED_ID, REBUILD, FAILED);

  /** Whole transactions. */
  static LogOffset after(String gtids) {
    return new LogOffset(Optional.of(gtids), Optional.empty(), Optional.empty());
  }

  /** Within the transaction that comes after the given ones. */
  static LogOffset within(String gtids, Place behind) {
    return new LogOffset(Optional.of(gtids), Optional.of(behind), Optional.empty());
  }

  /**
   * Reads what {@link #stored} made or a person wrote.
   *
   * @throws IllegalArgumentException naming the field, its value and the rule
   */
  static LogOffset parse(Map<String, ?> stored) {
    for (var key : stored.keySet()) {
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException("unknown field \"" + key + "\"; known are " + KEYS);
      }
    }
    var gtids = text(stored, GTIDS);
    gtids.ifPresent(GtidSet::parse);
    var rebuild = text(stored, REBUILD).map(LogOffset::shards);
    if (gtids.isEmpty() && rebuild.isEmpty()) {
      throw new IllegalArgumentException("gtids is missing");
    }
    if (stored.containsKey(SHARD) != stored.containsKey(ADDED_ID)) {
      throw new IllegalArgumentException("shard and added_id come together");
    }
    Optional<Place> behind =
        stored.containsKey(SHARD)
            ? Optional.of(new Place((int) number(stored, SHARD), number(stored, ADDED_ID)))
            : Optional.empty();
    if (behind.isPresent() && rebuild.isPresent()) {
      int first = rebuild.get().stream().findFirst().orElseThrow();
      if (first != behind.get().shard()) {
        throw new IllegalArgumentException(
            "shard: %d is not the first of rebuild, %d".formatted(behind.get().shard(), first));
      }
    }
    return new LogOffset(gtids, behind, rebuild);
  }

  /** As Connect stores it. */
  Map<String, Object> stored() {
    var map = new HashMap<String, Object>();
    gtids.ifPresent(set -> map.put(GTIDS, set));
    rebuild.ifPresent(shards -> map.put(REBUILD, shards.toString()));
    behind.ifPresent(
        place -> {
          map.put(SHARD, place.shard());
          map.put(ADDED_ID, place.addedId());
        });
    return Map.copyOf(map);
  }

  private static Optional<String> text(Map<String, ?> stored, String key) {
    var value = stored.get(key);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof String text) || text.isBlank()) {
      throw new IllegalArgumentException("%s: \"%s\" is no text".formatted(key, value));
    }
    return Optional.of(text);
  }

  private static long number(Map<String, ?> stored, String key) {
    if (stored.get(key) instanceof Number number && number.longValue() >= 0) {
      return number.longValue();
    }
    throw new IllegalArgumentException(
        "%s: \"%s\" is no number from 0 on".formatted(key, stored.get(key)));
  }

  private static ShardSet shards(String text) {
    try {
      return ShardSet.parse(text);
    } catch (TopologyException e) {
      throw new IllegalArgumentException("rebuild: " + e.getMessage(), e);
    }
  }
}
