package io.cellmesh.cell.proof;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Adds up what is known of the shards of an origin. */
final class VerdictSum {
  private final TreeMap<Integer, Long> agreedTo = new TreeMap<>();
  private final List<Difference> differences = new ArrayList<>();
  private final List<Difference> absent = new ArrayList<>();
  private long agreed;
  private long held;
  private long waiting;
  private long waitingSince = Long.MAX_VALUE;
  private long repeats;

  void add(ShardAgreement shard) {
    agreed += shard.agreed();
    held += shard.held();
    waiting += shard.waiting();
    waitingSince = Math.min(waitingSince, shard.waitingSince());
    repeats += shard.repeats();
    differences.addAll(shard.differences());
    absent.addAll(shard.absent());
    agreedTo.put(shard.cells().shard(), shard.agreedTo());
  }

  Verdict verdict(OptionalLong thereAt, OptionalLong hereAt) {
    return new Verdict(
        agreed,
        held,
        waiting,
        waiting == 0 ? OptionalLong.empty() : OptionalLong.of(waitingSince),
        repeats,
        agreedTo,
        differences,
        absent,
        thereAt,
        hereAt);
  }
}
