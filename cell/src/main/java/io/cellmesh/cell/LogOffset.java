package io.cellmesh.cell;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
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
public record LogOffset(
    Optional<String> gtids, Optional<Place> behind, Optional<ShardSet> rebuild) {
  private static final String GTIDS = "gtids";
  private static final String SHARD = "shard";
  private static final String ADDED_ID = "added_id";
  public static final String REBUILD = "rebuild";

  /** Why the task has ended; the next one, which a person has started, does not heed it. */
  public static final String FAILED = "failed";

  private static final List<String> KEYS = List.of(GTIDS, SHARD, ADDED_ID, REBUILD, FAILED);

  /** Where a row stands in its shard. */
  public record Place(int shard, long addedId) {}

  /** Whole transactions. */
  public static LogOffset after(String gtids) {
    return new LogOffset(Optional.of(gtids), Optional.empty(), Optional.empty());
  }

  /** Within the transaction that comes after the given ones. */
  public static LogOffset within(String gtids, Place behind) {
    return new LogOffset(Optional.of(gtids), Optional.of(behind), Optional.empty());
  }

  /**
   * Reads what Connect has stored; empty if that is no offset: nothing, or only why a task failed
   * before it knew where to begin.
   *
   * @throws IllegalArgumentException as {@link #parse}
   */
  public static Optional<LogOffset> read(Map<String, ?> stored) {
    return Set.of(FAILED).containsAll(stored.keySet())
        ? Optional.empty()
        : Optional.of(parse(stored));
  }

  /**
   * Reads what {@link #stored} made or a person wrote.
   *
   * @throws IllegalArgumentException naming the field, its value and the rule
   */
  public static LogOffset parse(Map<String, ?> stored) {
    for (var key : stored.keySet()) {
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException("unknown field \"" + key + "\"; known are " + KEYS);
      }
    }
    var gtids = text(stored, GTIDS).map(LogOffset::gtids);
    var rebuild = text(stored, REBUILD).map(LogOffset::shards);
    if (gtids.isEmpty() && rebuild.isEmpty()) {
      throw new IllegalArgumentException("gtids is missing");
    }
    if (stored.containsKey(SHARD) != stored.containsKey(ADDED_ID)) {
      throw new IllegalArgumentException("shard and added_id come together");
    }
    Optional<Place> behind =
        stored.containsKey(SHARD)
            ? Optional.of(
                new Place(
                    (int) number(stored, SHARD, Integer.MAX_VALUE),
                    number(stored, ADDED_ID, Long.MAX_VALUE)))
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

  /** Whether it asks for a rebuild of all shards that no task has begun. */
  public boolean isFreshRebuild() {
    return rebuild.isPresent() && gtids.isEmpty() && behind.isEmpty();
  }

  /** As Connect stores it. */
  public Map<String, Object> stored() {
    var map = new LinkedHashMap<String, Object>();
    rebuild.ifPresent(shards -> map.put(REBUILD, shards.toString()));
    gtids.ifPresent(set -> map.put(GTIDS, set));
    behind.ifPresent(
        place -> {
          map.put(SHARD, place.shard());
          map.put(ADDED_ID, place.addedId());
        });
    return Collections.unmodifiableMap(map);
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

  private static long number(Map<String, ?> stored, String key, long most) {
    var value = stored.get(key);
    if ((value instanceof Long || value instanceof Integer)
        && ((Number) value).longValue() >= 0
        && ((Number) value).longValue() <= most) {
      return ((Number) value).longValue();
    }
    throw new IllegalArgumentException(
        "%s: \"%s\" is no whole number from 0 to %d".formatted(key, value, most));
  }

  /** Servers write a set in several lines. */
  private static String gtids(String text) {
    try {
      GtidSet.parse(text);
      return text.replaceAll("\\s", "");
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("gtids: " + e.getMessage(), e);
    }
  }

  private static ShardSet shards(String text) {
    try {
      return ShardSet.parse(text);
    } catch (TopologyException e) {
      throw new IllegalArgumentException("rebuild: " + e.getMessage(), e);
    }
  }
}
