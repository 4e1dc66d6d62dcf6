package io.cellmesh.operations.verify;

import io.cellmesh.operations.IndexFile;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The checks of all data centres, partition after partition. For one thread; what several have
 * found is {@linkplain #add added up} once they are closed.
 */
final class PartitionChecks implements AutoCloseable {
  private final List<DataCenterChecks> checks = new ArrayList<>();
  private final List<Link> mesh = new ArrayList<>();

  /**
   * @param snapshots of all data centres, each with its complete indexes
   */
  PartitionChecks(Map<Snapshot, List<IndexFile>> snapshots) {
    snapshots.forEach((snapshot, indexes) -> checks.add(new DataCenterChecks(snapshot, indexes)));
    var names = snapshots.keySet().stream().map(Snapshot::name).toList();
    for (int from = 0; from < names.size(); from++) {
      for (int to = 0; to < names.size(); to++) {
        if (from != to) {
          mesh.add(
              new Link(names.get(from), from, to, MeshCheck.tally(names.get(from), names.get(to))));
        }
      }
    }
  }

  void partition(int partition) throws SQLException {
    var entities = new ArrayList<Entities>();
    for (var check : checks) {
      entities.add(check.partition(partition));
    }
    for (var link : mesh) {
      new MeshCheck(link.tally, link.origin, checks.get(link.to).ledger()::about)
          .compare(entities.get(link.from), entities.get(link.to));
    }
  }

  /** Takes in what was found in other partitions. */
  void add(PartitionChecks other) {
    for (int i = 0; i < checks.size(); i++) {
      checks.get(i).add(other.checks.get(i));
    }
    for (int i = 0; i < mesh.size(); i++) {
      mesh.get(i).tally.add(other.mesh.get(i).tally);
    }
  }

  /** Checks what takes all partitions; to be called once, after the last one. */
  List<CheckResult> finish() throws SQLException {
    var results = new ArrayList<CheckResult>();
    for (var check : checks) {
      check.rejections();
      check.minions();
      check.indexes();
      results.addAll(check.results());
    }
    mesh.forEach(link -> results.add(link.tally.result()));
    return results;
  }

  /** Ends the reading of topics; what was found stays. */
  @Override
  public void close() {
    checks.forEach(DataCenterChecks::close);
  }

  private record Link(String origin, int from, int to, Tally tally) {}
}
