package io.cellmesh.deployment;

import io.cellmesh.cell.index.IndexDefinitionException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;

/**
 * The passes of a data centre as its topic tells them at one moment. A pass that is not mentioned
 * has not been taken away: the topic may have been lost.
 *
 * @param place how far it was read; empty if there is no topic
 * @param passes what was said last, by name
 * @param unreadable why what was said last of others can't be read, by name
 * @param removed those that were taken away since the reading before, even if they came again; at
 *     the first reading of a topic, those whose removal was said last
 */
public record StoredPasses(
    Optional<Place> place,
    Map<String, Pass> passes,
    Map<String, String> unreadable,
    Set<String> removed) {

  /** Before the first reading, and without a topic. */
  public static final StoredPasses NONE =
      new StoredPasses(Optional.empty(), Map.of(), Map.of(), Set.of());

  public StoredPasses {
    passes = Collections.unmodifiableMap(new TreeMap<>(passes));
    unreadable = Collections.unmodifiableMap(new TreeMap<>(unreadable));
    removed = Collections.unmodifiableSet(new TreeSet<>(removed));
  }

  /**
   * How far a topic was read.
   *
   * @param topic Kafka's id of it, which is another one once it was recreated
   * @param end the offset behind the last record
   */
  public record Place(Uuid topic, long end) {}

  /**
   * A record of the topic.
   *
   * @param name of the pass; empty if the record has no key
   * @param value null removes it
   */
  public record Entry(long offset, String name, byte[] value) {}

  /** Whether nothing that was read before needs to be read again. */
  boolean reach(Place end) {
    return place.equals(Optional.of(end));
  }

  /** The same, once what it says of removals has been heard. */
  StoredPasses heard() {
    return removed.isEmpty() ? this : new StoredPasses(place, passes, unreadable, Set.of());
  }

  /**
   * Reads a topic after this reading.
   *
   * @param end of the topic
   * @param entries all of the topic, in their order
   * @param instance the datastore of every definition
   */
  public StoredPasses then(Place end, List<Entry> entries, String instance) {
    boolean first = !place.map(Place::topic).equals(Optional.of(end.topic()));
    long known = first ? 0 : place.get().end();
    var passes = new TreeMap<String, Pass>();
    var unreadable = new TreeMap<String, String>();
    var removed = new TreeSet<String>();
    for (var entry : entries) {
      var name = entry.name();
      passes.remove(name);
      unreadable.remove(name);
      if (first) {
        removed.remove(name);
      }
      if (entry.value() != null) {
        try {
          passes.put(name, Pass.parse(name, entry.value(), instance));
        } catch (IndexDefinitionException e) {
          unreadable.put(name, "offset %d: %s".formatted(entry.offset(), e.getMessage()));
        }
      } else if (entry.offset() >= known && Pass.isName(name)) {
        removed.add(name);
      }
    }
    return new StoredPasses(Optional.of(end), passes, unreadable, removed);
  }
}
