package io.cellmesh.storage.index;

import static io.cellmesh.storage.index.TripsOfDriver.entries;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import java.sql.SQLException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which server's entries a page shows while a minion is behind the building of the index. */
class IndexMinionsIT {
  @RegisterExtension static final TestIndex index = new TestIndex(TripsOfDriver.DEFINITION);

  @Test
  void a_minion_that_does_not_know_that_the_index_is_complete_is_passed_over() throws SQLException {
    index.write(entries(10, "ann", new Random(1)));
    int shard = index.topology().shards().of("ann");
    var cluster = index.topology().clusterOf(shard);
    var complete = new AtomicBoolean();
    var reader =
        new IndexReader(
            TripsOfDriver.DEFINITION,
            index.topology(),
            index.pools(),
            IndexMinionsIT::minion,
            connection -> complete.get());

    var ofMaster = reader.page(IndexQuery.of("ann"));
    complete.set(true);
    var ofMinion = reader.page(IndexQuery.of("ann"));

    assertThat(ofMaster.servers()).containsExactly(cluster.master());
    assertThat(ofMaster.hits()).hasSize(10);
    assertThat(ofMinion.servers()).containsExactly(minion(cluster));
    assertThat(ofMinion.hits()).hasSize(10);
  }

  /** The master under another description: what it has is of no matter here. */
  private static Server minion(StorageCluster cluster) {
    var master = cluster.master();
    return new Server(master.host(), master.port(), "minion");
  }
}
