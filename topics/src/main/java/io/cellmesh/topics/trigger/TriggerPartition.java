package io.cellmesh.topics.trigger;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What one partition of the state topic says of one trigger, by what was read so far. Belongs to
 * the thread that reads.
 */
public final class TriggerPartition {
  private Creation creation;
  private Pause pause;
  private final Map<UUID, ParkedRow> parked = new TreeMap<>();
  private final Map<UUID, CellAttempts> attempts = new TreeMap<>();
  private final Map<String, Request> requests = new LinkedHashMap<>();
  private final Map<String, MemberHealth> health = new TreeMap<>();

  /** Empty if the trigger was never created, or was deleted. */
  public Optional<Creation> creation() {
    return Optional.ofNullable(creation);
  }

  public Optional<Pause> pause() {
    return Optional.ofNullable(pause);
  }

  /** The rows that are parked. */
  public Map<UUID, ParkedRow> parked() {
    return Collections.unmodifiableMap(parked);
  }

  /** The attempts at a cell of each row. */
  public Map<UUID, CellAttempts> attempts() {
    return Collections.unmodifiableMap(attempts);
  }

  /** The requests that wait, by id, in the order in which they are to be carried out. */
  public Map<String, Request> requests() {
    return Collections.unmodifiableMap(requests);
  }

  /** What members said last, by the member's id; in partition 0. */
  public Map<String, MemberHealth> health() {
    return Collections.unmodifiableMap(health);
  }

  void accept(StateRecord record) {
    var value = record.value().orElse(null);
    var key = record.key();
    if (key instanceof StateKey.OfCreation) {
      creation = (Creation) value;
    } else if (key instanceof StateKey.OfPause) {
      pause = (Pause) value;
    } else if (key instanceof StateKey.OfRow of) {
      put(parked, of.row(), (ParkedRow) value);
    } else if (key instanceof StateKey.OfAttempts of) {
      put(attempts, of.row(), (CellAttempts) value);
    } else if (key instanceof StateKey.OfRequest of) {
      // One that is told again stands behind the others.
      requests.remove(of.id());
      put(requests, of.id(), (Request) value);
    } else if (key instanceof StateKey.OfHealth of) {
      put(health, of.member(), (MemberHealth) value);
    }
  }

  private static <K, V> void put(Map<K, V> map, K key, V value) {
    if (value == null) {
      map.remove(key);
    } else {
      map.put(key, value);
    }
  }
}
