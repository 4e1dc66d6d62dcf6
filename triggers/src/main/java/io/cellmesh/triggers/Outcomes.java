package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.Reason;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.UUID;

/**
 * What became of the attempts of the last seconds. Of each second it remembers at most 1,024 rows
 * and 64 reasons, the first that it meets: it is for a ratio.
 */
final class Outcomes {
  private static final int ROWS = 1024;
  private static final int REASONS = 64;

  private final int seconds;
  private final Deque<Second> window = new ArrayDeque<>();

  Outcomes(int seconds) {
    this.seconds = seconds;
  }

  void succeeded(Delivery cell, Instant now) {
    second(now).add(cell, false);
  }

  void failed(Delivery cell, Reason reason, Instant now) {
    var second = second(now);
    second.add(cell, true);
    second.failed++;
    if (second.reasons.size() < REASONS || second.reasons.containsKey(reason)) {
      second.reasons.merge(reason, 1, Integer::sum);
    }
  }

  void clear() {
    window.clear();
  }

  Tally tally(Instant now) {
    forget(now.getEpochSecond());
    var rows = new HashMap<UUID, Boolean>();
    var shards = new BitSet();
    var failedShards = new BitSet();
    var reasons = new HashMap<Reason, Integer>();
    long cells = 0;
    long failed = 0;
    for (Iterator<Second> back = window.descendingIterator(); back.hasNext(); ) {
      var second = back.next();
      second.rows.forEach(rows::putIfAbsent);
      var latest = (BitSet) second.failedShards.clone();
      latest.andNot(shards);
      failedShards.or(latest);
      shards.or(second.shards);
      second.reasons.forEach((reason, count) -> reasons.merge(reason, count, Integer::sum));
      cells += second.cells;
      failed += second.failed;
    }
    var commonest = reasons.entrySet().stream().max(Map.Entry.comparingByValue());
    return new Tally(
        cells,
        failed,
        rows.size(),
        (int) rows.values().stream().filter(row -> row).count(),
        shards.cardinality(),
        failedShards.cardinality(),
        commonest.map(Map.Entry::getKey),
        commonest.map(Map.Entry::getValue).orElse(0));
  }

  private Second second(Instant now) {
    long at = now.getEpochSecond();
    var last = window.peekLast();
    if (last == null || last.at < at) {
      forget(at);
      last = new Second(at);
      window.addLast(last);
    }
    return last;
  }

  private void forget(long at) {
    while (!window.isEmpty() && window.peekFirst().at <= at - seconds) {
      window.removeFirst();
    }
  }

  private static final class Second {
    private final long at;
    private final Map<UUID, Boolean> rows = new HashMap<>();
    private final BitSet shards = new BitSet();
    private final BitSet failedShards = new BitSet();
    private final Map<Reason, Integer> reasons = new HashMap<>();
    private long cells;
    private long failed;

    Second(long at) {
      this.at = at;
    }

    void add(Delivery cell, boolean failed) {
      cells++;
      shards.set(cell.shard);
      failedShards.set(cell.shard, failed);
      if (rows.size() < ROWS || rows.containsKey(cell.row)) {
        rows.put(cell.row, failed);
      }
    }
  }
}
