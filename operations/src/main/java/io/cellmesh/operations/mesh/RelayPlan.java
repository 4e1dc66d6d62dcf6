package io.cellmesh.operations.mesh;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.proof.FoldSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which cells of a lost data centre some survivors lack, and who relays them: in each shard the one
 * that has most, or of those whose topics still have what comes next the one that has most.
 *
 * @param gaps what can be relayed
 * @param beyond what nobody's topics have any more
 */
record RelayPlan(List<Gap> gaps, List<Gap> beyond) {
  RelayPlan {
    gaps = List.copyOf(gaps);
    beyond = List.copyOf(beyond);
  }

  /**
   * Cells of one shard that one survivor lacks.
   *
   * @param to the survivor
   * @param from the one that has them
   * @param source the topic there that still has them
   * @param start the offset there from which on it has them all
   * @param after the greatest origin_id that the survivor has
   * @param last the greatest one that the other has
   */
  record Gap(
      int shard, String to, String from, FoldSource source, long start, long after, long last) {}

  /**
   * Compares what all have.
   *
   * @param survivors by their names
   */
  static RelayPlan of(Map<String, Holdings> survivors, Shards shards) {
    var gaps = new ArrayList<Gap>();
    var beyond = new ArrayList<Gap>();
    for (int shard = 0; shard < shards.count(); shard++) {
      for (var to : survivors.keySet()) {
        long after = survivors.get(to).last(shard);
        var ahead = ahead(survivors, shard, after);
        if (!ahead.isEmpty()) {
          var gap = gap(survivors, shard, to, ahead);
          gap.ifPresent(gaps::add);
          if (gap.isEmpty()) {
            beyond.add(
                new Gap(
                    shard,
                    to,
                    ahead.get(0),
                    FoldSource.MESH,
                    Holdings.NONE,
                    after,
                    survivors.get(ahead.get(0)).last(shard)));
          }
        }
      }
    }
    return new RelayPlan(gaps, beyond);
  }

  /** Those that have more, the one that has most first. */
  private static List<String> ahead(Map<String, Holdings> survivors, int shard, long after) {
    return survivors.keySet().stream()
        .filter(name -> survivors.get(name).last(shard) > after)
        .sorted(
            Comparator.comparingLong((String name) -> -survivors.get(name).last(shard))
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  /** The mesh topic has what came to the byte; the log, which is kept longer, what was stored. */
  private static Optional<Gap> gap(
      Map<String, Holdings> survivors, int shard, String to, List<String> ahead) {
    long after = survivors.get(to).last(shard);
    for (var from : ahead) {
      for (var source : List.of(FoldSource.MESH, FoldSource.LOG)) {
        var start = survivors.get(from).start(source, shard, after);
        if (start.isPresent()) {
          return Optional.of(
              new Gap(
                  shard,
                  to,
                  from,
                  source,
                  start.getAsLong(),
                  after,
                  survivors.get(from).last(shard)));
        }
      }
    }
    return Optional.empty();
  }
}
