package io.cellmesh.operations.mesh;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.proof.FoldSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/**
 * Which cells of a data centre some others lack, or itself, and who relays them: in each shard the
 * one that has most, or of those whose topics still have what comes next the one that has most.
 *
 * @param gaps what can be relayed
 * @param beyond what nobody's topics have any more: tables may have it
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
      int shard, String to, String from, FoldSource source, long start, long after, long last) {
    /** The same with other ends. */
    Gap between(long otherAfter, long otherLast) {
      return new Gap(shard, to, from, source, start, otherAfter, otherLast);
    }
  }

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
        add(survivors, shard, to, survivors.get(to).last(shard), gaps, beyond);
      }
    }
    return new RelayPlan(gaps, beyond);
  }

  /**
   * Finds who has what one data centre lacks: the one that wrote the cells and has lost them, or
   * one that has just joined.
   *
   * @param home the data centre
   * @param has the greatest origin_id that it has in each shard
   * @param holders by their names, itself among them if it wrote them and its log is there
   */
  static RelayPlan home(
      String home, IntToLongFunction has, Map<String, Holdings> holders, Shards shards) {
    var gaps = new ArrayList<Gap>();
    var beyond = new ArrayList<Gap>();
    for (int shard = 0; shard < shards.count(); shard++) {
      add(holders, shard, home, has.applyAsLong(shard), gaps, beyond);
    }
    return new RelayPlan(gaps, beyond);
  }

  private static void add(
      Map<String, Holdings> holders,
      int shard,
      String to,
      long after,
      List<Gap> gaps,
      List<Gap> beyond) {
    var ahead = ahead(holders, shard, after);
    if (ahead.isEmpty()) {
      return;
    }
    var gap = gap(holders, shard, to, after, ahead);
    gap.ifPresentOrElse(
        gaps::add,
        () -> {
          var from = ahead.get(0);
          long last = holders.get(from).last(shard);
          beyond.add(new Gap(shard, to, from, FoldSource.MESH, Holdings.NONE, after, last));
        });
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
      Map<String, Holdings> survivors, int shard, String to, long after, List<String> ahead) {
    for (var from : ahead) {
      // What a data centre wrote itself stands in its log alone.
      var sources =
          from.equals(to) ? List.of(FoldSource.LOG) : List.of(FoldSource.MESH, FoldSource.LOG);
      for (var source : sources) {
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
