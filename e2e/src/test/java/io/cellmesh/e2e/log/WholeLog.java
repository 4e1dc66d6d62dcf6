package io.cellmesh.e2e.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.e2e.faults.FaultStack;
import java.sql.SQLException;
import java.util.HashSet;

/** The log from its beginning against the entity tables, when nothing is under way. */
public final class WholeLog {
  private WholeLog() {}

  /**
   * Each cell, where it came first, stands in the order of its shard's added_ids, and they are the
   * very rows of the tables: nothing was taken back, nothing was left out.
   *
   * @return how many cells
   */
  public static long requireTables(FaultStack stack) throws SQLException {
    var log = LogContents.read(stack, "trips.log");
    assertThat(log.first().inversion()).isEmpty();
    assertThat(log.all().reused()).isEmpty();
    assertThat(log.first().difference(EntityRows.of(stack))).isEmpty();
    return log.first().size();
  }

  /**
   * No added_id that a lost server has given out stands for another cell on its successor.
   *
   * @return how many rows only the lost server has
   */
  public static long requireOtherIds(
      Topology topology, StorageCluster cluster, MySqlServer lost, MySqlServer successor)
      throws SQLException {
    var before = EntityRows.of(topology, cluster, lost);
    var after = EntityRows.of(topology, cluster, successor);
    var both = new Shardwise();
    long shared = 0;
    for (var shard : before.entries().entrySet()) {
      var kept = new HashSet<>(after.entries().get(shard.getKey()));
      shared += shard.getValue().stream().filter(kept::contains).count();
      shard.getValue().forEach(entry -> both.add(shard.getKey(), entry));
      kept.forEach(entry -> both.add(shard.getKey(), entry));
    }
    assertThat(both.reused()).isEmpty();
    return before.size() - shared;
  }
}
