package io.cellmesh.operations.mesh.joining;

import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.proof.ProofStart;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener.Step;
import io.cellmesh.operations.mesh.AtDataCenter;
import io.cellmesh.operations.mesh.OriginReach;
import io.cellmesh.operations.mesh.TableSource;
import io.cellmesh.storage.AddedIds;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.PositionTable;
import io.cellmesh.storage.ReturnedCells;
import io.cellmesh.storage.ServerFailure;
import io.cellmesh.topics.load.Pace;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Brings back to a data centre what one of the same name has written before it was removed, as far
 * as the peers still have it: into its empty tables, under the ids that the cells had, before
 * anybody writes there. What it writes later gets higher ids, so no id is given out twice
 * (invariant 9).
 *
 * <p>A shard that has all is marked by a {@link ProofStart}. So it may be interrupted anywhere and
 * begun again: what has no mark is copied again, and changes nothing where it is there.
 */
final class FormerCells {
  /** Cells that are committed together, at most. */
  private static final int MOST = 1_000;

  /** ER_TABLEACCESS_DENIED_ERROR. */
  private static final int MAY_NOT = 1142;

  private final DataCenter joining;
  private final List<DataCenter> peers;
  private final double rate;
  private final Topology topology;

  /**
   * @param rate cells a second that are read at most; 0 for as fast as possible
   */
  FormerCells(DataCenter joining, List<DataCenter> peers, double rate) {
    this.joining = joining;
    this.peers = peers;
    this.rate = rate;
    this.topology = joining.topology();
  }

  /**
   * Returns when it has all that peers have of it.
   *
   * @return how many shards lacked cells
   * @throws OperationException if one lacks cells and has been written to since: those cells can't
   *     be put before what is there
   */
  int bringBack(Step step) throws Exception {
    var reaches = new ArrayList<OriginReach>();
    for (var peer : peers) {
      AtDataCenter.run(peer, () -> reaches.add(OriginReach.of(peer, joining.name())));
    }
    reaches.removeIf(OriginReach::isNothing);
    if (reaches.isEmpty()) {
      return 0;
    }
    try (var here = new Pools(joining.operator())) {
      var written = written(here);
      var lacking = lacking(reaches, written, here);
      if (!lacking.isEmpty()) {
        requireUnwritten(lacking, written);
        copy(lacking, reaches, here, step);
      }
      return lacking.size();
    }
  }

  /** The shards that lack cells, with the highest id that a peer has. */
  private Map<Integer, Long> lacking(
      List<OriginReach> reaches, Set<StorageCluster> written, Pools here) throws SQLException {
    var starts = ProofStarts.of(joining);
    var lacking = new TreeMap<Integer, Long>();
    for (int shard = 0; shard < topology.shards().count(); shard++) {
      int at = shard;
      long most = reaches.stream().mapToLong(reach -> reach.last().get(at)).max().orElseThrow();
      if (most > 0) {
        boolean marked = starts.getOrDefault(shard, 0L) >= most;
        long own = lastOwn(shard, here);
        // Where nobody has written yet the last one may be there and one before it not; and a mark
        // may be older than the tables.
        boolean has =
            written.contains(topology.clusterOf(shard)) ? marked || own >= most : marked && own > 0;
        if (!has) {
          lacking.put(shard, most);
        }
      }
    }
    return lacking;
  }

  /** The clusters into which cells have been written otherwise. */
  private Set<StorageCluster> written(Pools here) throws SQLException {
    var partitions = IntStream.range(0, topology.shards().partitions()).boxed().toList();
    var positions = new PositionTable(topology);
    var written = new HashSet<StorageCluster>();
    for (var cluster : topology.clusters()) {
      var found = here.ask(cluster.master(), c -> positions.read(c, partitions));
      if (!found.values().stream().allMatch(Position.START::equals)) {
        written.add(cluster);
      }
    }
    return written;
  }

  private long lastOwn(int shard, Pools here) throws SQLException {
    return here.ask(master(shard), connection -> EntityScan.lastOwnId(connection, topology, shard));
  }

  private Topology.Server master(int shard) {
    return topology.clusterOf(shard).master();
  }

  private void requireUnwritten(Map<Integer, Long> lacking, Set<StorageCluster> written) {
    for (int shard : lacking.keySet()) {
      var cluster = topology.clusterOf(shard);
      if (written.contains(cluster)) {
        throw OperationException.refused(
            "%s lacks cells of its own that its peers have, in %d shards, such as shard %d up to origin_id %d, and %s, the master of %s, has taken newer ones: it comes from a backup, or has lost some. Its ids would be given out a second time. Give it servers that are empty, or put the cells back before anybody writes there"
                .formatted(
                    joining.name(),
                    lacking.size(),
                    shard,
                    lacking.get(shard),
                    cluster.master().address(),
                    cluster.name()));
      }
    }
  }

  private void copy(Map<Integer, Long> lacking, List<OriginReach> reaches, Pools here, Step step)
      throws Exception {
    var pace = new Pace(rate, System::nanoTime);
    long done = 0;
    var pools = new HashMap<DataCenter, Pools>();
    try (var starts = new ProofStarts(joining)) {
      var sources = new HashMap<DataCenter, TableSource>();
      for (var reach : reaches) {
        pools.put(reach.dc(), new Pools(reach.dc().reader()));
        sources.put(reach.dc(), TableSource.open(reach.dc().topology(), pools.get(reach.dc())));
      }
      for (int shard : lacking.keySet()) {
        step.progress(done++, lacking.size());
        // Whoever has most first: what another one has beside it, few cells, comes behind.
        var having =
            reaches.stream()
                .sorted(Comparator.comparing((OriginReach r) -> r.last().get(shard)).reversed())
                .map(OriginReach::dc)
                .toList();
        for (var peer : having) {
          copy(peer, sources.get(peer), shard, here, pace);
        }
        here.run(
            master(shard),
            connection ->
                new AddedIds(topology).jump(connection, shard, topology.clusterOf(shard).epoch()));
        starts.mark(new ProofStart(shard, lacking.get(shard)));
      }
      step.progress(done, lacking.size());
    } finally {
      pools.values().forEach(Pools::close);
    }
  }

  private void copy(DataCenter peer, TableSource source, int shard, Pools here, Pace pace)
      throws Exception {
    long after = 0;
    var cells = new ArrayList<LogRecord>();
    do {
      cells.clear();
      long behind = after;
      AtDataCenter.run(
          peer,
          () ->
              source.read(
                  joining.name(),
                  shard,
                  behind,
                  MOST,
                  cell -> {
                    pace.await();
                    cells.add(cell);
                  }));
      if (!cells.isEmpty()) {
        after = cells.get(cells.size() - 1).addedId();
        put(shard, cells, here);
      }
    } while (cells.size() == MOST);
  }

  private void put(int shard, List<LogRecord> cells, Pools here) throws ServerFailure {
    try {
      here.run(master(shard), connection -> ReturnedCells.put(connection, topology, shard, cells));
    } catch (ServerFailure e) {
      if (e.getErrorCode() == MAY_NOT) {
        throw OperationException.refused(
            "%s; no operator may add cells, and here cells go back to where they were written: run this once with CELLMESH_MYSQL_USER and CELLMESH_MYSQL_PASSWORD_FILE of an administrator"
                .formatted(e.getCause().getMessage()));
      }
      throw e;
    }
  }
}
