package io.cellmesh.topics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Tells from where on a partition of {@code trips.trigger.COLUMN} has all that the log holds of its
 * column. It looks at nothing but what both hold, since nothing else remembers when the setting
 * {@code trigger.columns} began to hold, and whether it always has.
 *
 * <p>First every cell of the column that the log holds of the partition's shards is told, up to an
 * end that was noted, then every record of the topic's partition, up to an end that was noted
 * later, each in the order of offsets. Per shard, added_id rises along both by first occurrence,
 * and begins anew where a rebuild begins; and what is in the topic is in the log. So the topic is
 * whole behind a record that is no later than the log's first one if as many ids follow it as the
 * log has. A few numbers are kept of each shard, and as many again for each rebuild.
 */
public final class TriggerTopicReach {
  private final Map<Integer, Stretch> log = new TreeMap<>();
  private final Map<Integer, Readings> topic = new TreeMap<>();
  private final long retained;

  /**
   * @param retained the first offset that the topic's partition retains
   */
  public TriggerTopicReach(long retained) {
    this.retained = retained;
  }

  /**
   * A shard of which the topic has not all.
   *
   * @param shard its number
   * @param first the log's first added_id of the column
   * @param cells how many the log holds from there on
   * @param found how many of them the topic has, in one stretch in their order
   */
  public record Shortfall(int shard, long first, long cells, long found) {}

  /** The log holds this cell of the column. */
  public void log(int shard, long addedId) {
    log.computeIfAbsent(shard, s -> new Stretch()).add(addedId);
  }

  /** The topic holds this cell; all of the log was told before. */
  public void topic(long offset, int shard, long addedId) {
    var logged = log.get(shard);
    if (logged != null) {
      topic.computeIfAbsent(shard, s -> new Readings(logged, retained)).add(offset, addedId);
    }
  }

  /** Shards of which the topic lacks cells that the log has, in rising order. */
  public List<Shortfall> shortfalls() {
    var lacking = new ArrayList<Shortfall>();
    log.forEach(
        (shard, logged) -> {
          var found = topic.containsKey(shard) ? topic.get(shard).most() : 0;
          if (found < logged.cells) {
            lacking.add(new Shortfall(shard, logged.first, logged.cells, found));
          }
        });
    return List.copyOf(lacking);
  }

  /**
   * The least offset from which on a reader meets every shard's cells whole and in the log's order,
   * which is that of the first retained record for a topic that was filled from the beginning, and
   * that of the rebuild's for one that was rebuilt. Empty if a shard lacks cells, and also if the
   * shards were rebuilt one after another, so that no place is ahead of all of them.
   */
  public OptionalLong beginning() {
    var candidates = new TreeSet<>(List.of(retained));
    topic.values().forEach(readings -> readings.whole().forEach(r -> candidates.add(r.after)));
    return candidates.stream().filter(this::isBeginning).mapToLong(Long::longValue).findFirst();
  }

  private boolean isBeginning(long offset) {
    return log.keySet().stream()
        .allMatch(
            shard ->
                topic.containsKey(shard)
                    && topic.get(shard).whole().stream().anyMatch(r -> r.beginsAt(offset)));
  }

  /** What the log holds of a shard, from its least id on. */
  private static final class Stretch {
    private long first;
    private long last;
    private long cells;

    void add(long addedId) {
      if (cells == 0 || addedId < first) {
        first = addedId;
        last = addedId;
        cells = 1;
      } else if (addedId > last) {
        last = addedId;
        cells++;
      }
    }
  }

  /** The topic's records of a shard, read on from each that may be the beginning. */
  private static final class Readings {
    private final Stretch logged;
    private final List<Reading> all = new ArrayList<>();
    private long next;

    Readings(Stretch logged, long retained) {
      this.logged = logged;
      this.next = retained;
    }

    void add(long offset, long addedId) {
      if (addedId <= logged.first) {
        begin(offset, addedId);
      }
      all.forEach(reading -> reading.add(logged, addedId));
      next = offset + 1;
    }

    /** Ids that rise towards the log's first belong to one beginning. */
    private void begin(long offset, long addedId) {
      var newest = all.isEmpty() ? null : all.get(all.size() - 1);
      if (newest == null || newest.last >= addedId) {
        all.add(new Reading(next, offset));
      } else {
        newest.at = offset;
      }
    }

    long most() {
      return all.stream().mapToLong(reading -> reading.cells).max().orElse(0);
    }

    List<Reading> whole() {
      return all.stream().filter(reading -> reading.cells == logged.cells).toList();
    }
  }

  /** From a record that is the shard's first behind {@code after} and up to it. */
  private static final class Reading {
    private final long after;
    private long at;
    private long last = Long.MIN_VALUE;
    private long cells;

    Reading(long after, long at) {
      this.after = after;
      this.at = at;
    }

    void add(Stretch logged, long addedId) {
      if (addedId > last) {
        last = addedId;
        if (addedId >= logged.first && addedId <= logged.last) {
          cells++;
        }
      }
    }

    boolean beginsAt(long offset) {
      return after <= offset && offset <= at;
    }
  }
}
