package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.Order;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides whether what the callbacks need is down, so that cells must not be parked for it.
 *
 * @param rows over fewer rows (and, in order by shard, shards) nothing is concluded
 * @param shards that the trigger can meet at all
 */
record Halting(int rows, Order order, int shards) {
  /**
   * Gives the commonest reason, in a line, if the group halts: at least half of the rows fail that
   * its members tried within the window, over enough rows, and in order by shard over as many
   * shards as there can be. A pure function, so that all members who read the same tallies agree.
   */
  Optional<String> decide(List<Tally> members) {
    long tried = members.stream().mapToLong(Tally::rows).sum();
    long failed = members.stream().mapToLong(Tally::failedRows).sum();
    long triedShards = members.stream().mapToLong(Tally::shards).sum();
    boolean enough = tried >= rows && (order == Order.ROW || triedShards >= Math.min(rows, shards));
    return enough && 2 * failed >= tried ? Optional.of(commonest(members)) : Optional.empty();
  }

  private static String commonest(List<Tally> members) {
    var counts = new HashMap<String, Integer>();
    for (var member : members) {
      member
          .reason()
          .ifPresent(reason -> counts.merge(reason.text(), member.reasons(), Integer::sum));
    }
    return counts.entrySet().stream()
        .max(
            Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .orElse("");
  }
}
