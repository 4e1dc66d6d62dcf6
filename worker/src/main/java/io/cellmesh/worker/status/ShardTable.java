package io.cellmesh.worker.status;

import io.cellmesh.cell.Topology;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.worker.status.StatusView.ShardView;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The shards as they are, and what has become of them within the last hour. Of a master that does
 * not answer the figures stay as they were. One thread adds at a time.
 */
final class ShardTable {
  /** A cluster that is promoted gives out ids of another range. */
  private static final long JUMP = 100_000_000_000L;

  private static final long UNKNOWN = -1;

  private final Clock clock;
  private final Hour<Sample> hour = new Hour<>();
  private final Map<Integer, Looks.Counted> counted = new HashMap<>();

  /** What is remembered for an hour; by shard. */
  private record Sample(long[] rows, long[] last, boolean[] exact, long[] lag) {
    static Sample of(int shards) {
      return new Sample(new long[shards], new long[shards], new boolean[shards], new long[shards]);
    }
  }

  ShardTable(Clock clock) {
    this.clock = clock;
  }

  /** From when on growth is counted; empty before the first look. */
  Optional<Instant> since() {
    return hour.oldest().map(Hour.Sample::at);
  }

  /**
   * Adds a look.
   *
   * @param rejected of the last hour, by shard
   * @return every shard, in the order of their numbers
   */
  List<ShardView> add(
      Topology topology,
      Looks.ShardCounts seen,
      Collection<ServerPulse> servers,
      Map<Integer, Integer> rejected) {
    counted.putAll(seen.counted());
    var now = sample(topology, seen, servers);
    hour.add(clock.instant(), now);
    var views = new ArrayList<ShardView>();
    for (int shard = 0; shard < topology.shards().count(); shard++) {
      views.add(
          new ShardView(
              shard,
              topology.shards().partitionOf(shard),
              topology.clusterOf(shard).name(),
              now.rows[shard],
              now.exact[shard],
              grown(now, shard),
              now.lag[shard] == UNKNOWN ? Optional.empty() : Optional.of(now.lag[shard]),
              mostLag(shard),
              rejected.getOrDefault(shard, 0)));
    }
    return views;
  }

  private Sample sample(
      Topology topology, Looks.ShardCounts seen, Collection<ServerPulse> servers) {
    var sample = Sample.of(topology.shards().count());
    var masters = new HashMap<String, ServerPulse>();
    servers.stream()
        .filter(ServerPulse::isMaster)
        .forEach(server -> masters.put(server.cluster(), server));
    for (int shard = 0; shard < topology.shards().count(); shard++) {
      var rows = counted.get(shard);
      if (rows != null) {
        sample.rows[shard] = rows.size().rows();
        sample.last[shard] = rows.size().last();
        sample.exact[shard] = rows.exact();
      }
      var master = masters.get(topology.clusterOf(shard).name());
      sample.lag[shard] = lag(topology.shards().partitionOf(shard), seen, master);
    }
    return sample;
  }

  /** By the position that the master told last, whether it answers now or not. */
  private static long lag(int partition, Looks.ShardCounts seen, ServerPulse master) {
    var position = master.positions().get(partition);
    return position == null
        ? UNKNOWN
        : Math.max(0, seen.cells().end(partition) - position.of(IngestTopic.CELLS))
            + Math.max(0, seen.mesh().end(partition) - position.of(IngestTopic.MESH));
  }

  /** By the rows if both were counted, else by the ids that were given out. */
  private long grown(Sample now, int shard) {
    var before = hour.oldest().orElseThrow().value();
    if (now.exact[shard] && before.exact[shard]) {
      return Math.max(0, now.rows[shard] - before.rows[shard]);
    }
    long ids = now.last[shard] - before.last[shard];
    return before.last[shard] > 0 && ids >= 0 && ids < JUMP ? ids : 0;
  }

  private long mostLag(int shard) {
    return hour.samples().stream()
        .mapToLong(sample -> Math.max(0, sample.value().lag[shard]))
        .max()
        .orElse(0);
  }
}
