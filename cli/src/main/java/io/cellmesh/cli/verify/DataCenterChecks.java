package io.cellmesh.cli.verify;

import io.cellmesh.cli.deployment.IndexFile;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The checks of one data centre, partition after partition. */
final class DataCenterChecks {
  private final Snapshot snapshot;
  private final Rejections rejections;
  private final Tally conservation;
  private final Tally produced;
  private final Tally logged;
  private final Tally minions;
  private final List<IndexCheck> indexes = new ArrayList<>();

  DataCenterChecks(Snapshot snapshot, List<IndexFile> indexes) {
    this.snapshot = snapshot;
    this.rejections = snapshot.rejections();
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
    var in = new ConservationCheck(conservation, snapshot.name(), shards, entities, rejections);
    var order = new ProducedOrderCheck(produced);
    snapshot.ingested(
        partition,
        record -> in.record(record).ifPresent(row -> order.produced(record.topic(), row)));
    in.finish(snapshot.keepsAllIngested(partition));
    var out = new LoggedOrderCheck(logged, entities, snapshot.keepsWholeLog(partition));
    snapshot.logged(partition, out);
    out.finish();
    indexes.forEach(index -> index.expect(entities));
    return entities;
  }

  /** Compares the minions with their masters; to be called once. */
  void minions() throws SQLException {
    var check = new MinionCheck(minions);
    for (var cluster : snapshot.topology().clusters()) {
      var shards = cluster.shards().stream().boxed().toList();
      var onMaster = snapshot.sums(cluster.master(), shards);
      for (var minion : cluster.minions()) {
        check.compare(minion.address(), onMaster, snapshot.sums(minion, shards));
      }
    }
  }

  /** Compares the indexes with what the partitions led to expect; to be called last. */
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
