package io.cellmesh.operations.mesh;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.operations.mesh.scrub.Expectation;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.PositionTable;
import io.cellmesh.storage.replication.ServerRole;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * How far the cells of an origin, of one partition, have come on their way into the tables of some
 * servers: so that one which its origin's log has, and a table has not, is missing only once it has
 * to be there. Each part of the way is asked behind the one in front of it, and the tables behind
 * all.
 *
 * @param place the offset in the origin's log before which the link here has written everything
 *     into the mesh topic
 * @param mesh the cells that this topic has
 * @param begin its first offset: what came before has expired
 * @param positions by shard the offset in it before which its server has everything
 */
record Passage(long place, RangeCells mesh, long begin, Map<Integer, Long> positions) {
  Passage {
    positions = Map.copyOf(positions);
  }

  /**
   * Asks, once the origin's log was read.
   *
   * @param serverOf the server of each shard whose tables will be read
   * @param ranges of the partition's shards
   * @throws SQLException if a server does not answer
   */
  static Passage of(
      TopicClients topics,
      OriginLog log,
      IntFunction<Server> serverOf,
      int partition,
      Map<Integer, List<IdRange>> ranges)
      throws SQLException, InterruptedException {
    try (var pools = new Pools(server -> log.here().reader())) {
      var mesh = new RangeCells(log.origin().name(), ranges);
      var positions = new HashMap<Integer, Long>();
      if (log.isOwn()) {
        for (int shard : ranges.keySet()) {
          positions.put(shard, hasAll(log, serverOf.apply(shard), shard, pools) ? 1L : 0L);
        }
        return new Passage(Long.MAX_VALUE, mesh, 1, positions);
      }
      long place = log.place(partition);
      var topic = log.here().topology().topics().mesh();
      long begin = mesh.read(topics, log.here(), topic, FoldSource.MESH, partition);
      var table = new PositionTable(log.here().topology());
      for (int shard : ranges.keySet()) {
        var read =
            pools.ask(serverOf.apply(shard), server -> table.read(server, List.of(partition)));
        positions.put(shard, read.getOrDefault(partition, Position.START).of(IngestTopic.MESH));
      }
      return new Passage(place, mesh, begin, positions);
    }
  }

  /** What the data centre's own log has was committed: a server has it, unless it lags. */
  private static boolean hasAll(OriginLog log, Server server, int shard, Pools pools)
      throws SQLException {
    var master = pools.ask(log.here().topology().clusterOf(shard).master(), ServerRole::of);
    return new Expectation(Map.of(), Optional.of(master))
        .holds(Optional.of(pools.ask(server, ServerRole::of)));
  }

  /**
   * Tells whether a cell must be in the tables of its shard's server, unless it was refused.
   *
   * @param at its offset in the origin's log
   */
  boolean isOver(int shard, long id, long at) {
    var arrived = mesh.offset(shard, id);
    long position = positions.get(shard);
    // What the link has written, and the topic has not, has expired or was lost there.
    return arrived.isPresent() ? arrived.getAsLong() < position : at < place && begin <= position;
  }
}
