package io.cellmesh.storage.index;

import static io.cellmesh.storage.index.TripsOfDriver.entries;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.ConnectionCallback;
import io.cellmesh.storage.ServerChoice;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which server's entries a page shows while a minion is behind the building of the index. */
class IndexMinionsIT {
  @RegisterExtension static final TestIndex index = new TestIndex(TripsOfDriver.DEFINITION);

  @Test
  void a_minion_that_does_not_know_that_the_index_is_complete_is_passed_over() throws SQLException {
    index.write(entries(10, "ann", new Random(1)));
    var cluster = clusterOf("ann");
    var complete = new AtomicBoolean();
    var reader = reader(IndexMinionsIT::minion, connection -> complete.get());

    var ofMaster = reader.page(IndexQuery.of("ann"));
    complete.set(true);
    var ofMinion = reader.page(IndexQuery.of("ann"));

    assertThat(ofMaster.servers()).containsExactly(cluster.master());
    assertThat(ofMaster.hits()).hasSize(10);
    assertThat(ofMinion.servers()).containsExactly(minion(cluster));
    assertThat(ofMinion.hits()).hasSize(10);
  }

  @Test
  void a_master_that_answers_for_a_minion_too_leaves_out_no_value() throws SQLException {
    var cluster = clusterOf("ann");
    var other =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "ben" + i)
            .filter(driver -> clusterOf(driver).equals(cluster))
            .findFirst()
            .orElseThrow();
    index.write(entries(3, "ann", new Random(1)));
    index.write(entries(4, other, new Random(2)));
    var turns = new AtomicInteger();
    var reader =
        reader(
            of -> turns.getAndIncrement() % 2 == 0 ? minion(of) : of.master(), connection -> false);

    var page = reader.page(IndexQuery.of(List.of("ann", other)));

    assertThat(page.servers()).containsExactly(cluster.master());
    assertThat(page.hits()).hasSize(7);
  }

  @Test
  void a_plan_is_that_of_the_server_that_answers() throws SQLException {
    var master = clusterOf("ann").master();
    var reader = reader(IndexMinionsIT::minion, connection -> false);

    assertThat(reader.explain(IndexQuery.of("ann")).server()).isEqualTo(master);
  }

  private static IndexReader reader(ServerChoice choice, ConnectionCallback<Boolean> complete) {
    return new IndexReader(
        TripsOfDriver.DEFINITION, index.topology(), index.pools(), choice, complete);
  }

  private static StorageCluster clusterOf(String driver) {
    return index.topology().clusterOf(index.topology().shards().of(driver));
  }

  /** The master under another description: what it has is of no matter here. */
  private static Server minion(StorageCluster cluster) {
    var master = cluster.master();
    return new Server(master.host(), master.port(), "minion");
  }
}
