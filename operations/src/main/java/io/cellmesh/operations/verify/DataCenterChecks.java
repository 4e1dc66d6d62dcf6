package io.cellmesh.operations.verify;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.operations.IndexFile;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The checks of one data centre, partition after partition. For one thread; what several have found
 * is {@linkplain #add added up} once they are closed.
 */
final class DataCenterChecks implements AutoCloseable {
  private final Snapshot snapshot;
  private final SnapshotTopics topics;
  private final Tally conservation;
  private final Tally produced;
  private final Tally logged;
  private final Tally minions;
  private final List<IndexCheck> indexes = new ArrayList<>();

  DataCenterChecks(Snapshot snapshot, List<IndexFile> indexes) {
    this.snapshot = snapshot;
    this.topics = snapshot.topics();
    this.conservation = ConservationCheck.tally(snapshot.name());
    this.produced = ProducedOrderCheck.tally(snapshot.name());
    this.logged = LoggedOrderCheck.tally(snapshot.name());
    this.minions = MinionCheck.tally(snapshot.name());
    indexes.forEach(index -> this.indexes.add(new IndexCheck(snapshot, index)));
  }

  /** Checks what stands in one partition of the topics and in its shards, which it returns. */
  Entities partition(int partition) throws SQLException {
    var entities = snapshot.entities(partition);
    var shards = snapshot.topology().shards();
    var in =
        new ConservationCheck(
            conservation, snapshot.name(), shards, entities, snapshot.rejections(), this::decided);
    var order = new ProducedOrderCheck(produced);
    boolean all =
        topics.ingested(
            partition,
            record -> in.record(record).ifPresent(row -> order.produced(record.topic(), row)));
    in.finish(all);
    var out = new LoggedOrderCheck(logged, entities, snapshot.keepsWholeLog(partition));
    topics.logged(partition, out);
    out.finish();
    indexes.forEach(index -> index.expect(entities));
    return entities;
  }

  /** Ends the reading of topics; what was found stays. */
  @Override
  public void close() {
    topics.close();
  }

  /** Takes in what was found in other partitions of the same data centre. */
  void add(DataCenterChecks other) {
    conservation.add(other.conservation);
    produced.add(other.produced);
    logged.add(other.logged);
    for (int i = 0; i < indexes.size(); i++) {
      indexes.get(i).add(other.indexes.get(i));
    }
  }

  /** Counts what is told again, and what waits to be told; once, after all partitions. */
  void rejections() throws SQLException {
    conservation.count(ConservationCheck.REPEATS, snapshot.rejections().repeats());
    conservation.count(ConservationCheck.UNTOLD, snapshot.ledger().untold());
  }

  /** The conflicts that its masters have decided. */
  Ledger ledger() {
    return snapshot.ledger();
  }

  private boolean decided(Ingested record) {
    try {
      return snapshot.ledger().decided(record);
    } catch (SQLException e) {
      throw new IllegalStateException("the ledger of conflicts can't be read", e);
    }
  }

  /** Compares the minions with their masters; to be called once, after all partitions. */
  void minions() throws SQLException {
    var shards = new LinkedHashMap<Server, List<Integer>>();
    for (var cluster : snapshot.topology().clusters()) {
      var held = cluster.shards().stream().boxed().toList();
      shards.put(cluster.master(), held);
      cluster.minions().forEach(minion -> shards.put(minion, held));
    }
    var servers = List.copyOf(shards.keySet());
    var sums =
        PartitionPool.over(
            servers.size(),
            numbers -> {
              var part = new HashMap<Server, Map<Integer, ShardSum>>();
              numbers.each(
                  number -> {
                    var server = servers.get(number);
                    part.put(server, snapshot.sums(server, shards.get(server)));
                  });
              return part;
            },
            Map::putAll);
    var check = new MinionCheck(minions);
    for (var cluster : snapshot.topology().clusters()) {
      for (var minion : cluster.minions()) {
        check.compare(minion.address(), sums.get(cluster.master()), sums.get(minion));
      }
    }
  }

  /** Compares the indexes with what the partitions led to expect; after all partitions. */
  void indexes() throws SQLException {
    for (var index : indexes) {
      index.compare();
    }
  }

  List<CheckResult> results() {
    var results = new ArrayList<CheckResult>();
    results.add(conservation.result());
    results.add(produced.result());
    results.add(logged.result());
    results.add(minions.result());
    indexes.forEach(index -> results.add(index.result()));
    return results;
  }
}
