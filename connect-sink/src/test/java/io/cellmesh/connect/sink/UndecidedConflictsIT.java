package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.connect.sink.base.ModelledRejections;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.SqlConflictLedger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When conflicts are told: over a real master and minion, and a Kafka that the test holds back. */
class UndecidedConflictsIT {
  private static final Set<Integer> ALL = Set.of(0);

  private final ModelledRejections kafka = new ModelledRejections();
  private DevStack stack;
  private MySqlServer master;
  private MySqlServer minion;
  private Nodes nodes;
  private SinkMetrics metrics;
  private ConflictTeller teller;

  @BeforeEach
  void start(@TempDir Path dir) throws Exception {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(1)
                .withClusters(1)
                .withInstance("trips", 1, 1)
                .withoutKafka(),
            Progress.silent());
    var topology = stack.topology("dc1");
    master = stack.cluster("dc1", "c1").master();
    minion = stack.cluster("dc1", "c1").minions().get(0);
    var pools = new Pools(new Credentials("root", ""), MySqlOptions.DEFAULT.withMultiStatements());
    new InstanceSchema(topology, pools).create(topology.cluster("c1"), made -> {});
    nodes = new Nodes(pools);
    teller = teller(topology);
  }

  private ConflictTeller teller(Topology topology) {
    metrics = new SinkMetrics(MetricsHome.nowhere(), topology);
    return new ConflictTeller(
        topology,
        new SqlConflictLedger(topology, nodes),
        kafka.rejections(),
        topic -> new UUID(0, 1),
        new IngestRecords(Map.of()),
        System::nanoTime,
        metrics);
  }

  @AfterEach
  void stop() {
    teller.close();
    nodes.close();
    metrics.close();
    stack.close();
  }

  @Test
  void a_conflict_is_told_once_the_minion_has_it_and_noted_once_kafka_has_it() {
    assertThat(minion.catchesUpWith(master, Duration.ofSeconds(30))).isTrue();
    minion.execute("STOP REPLICA SQL_THREAD");
    decide();
    teller.run(ALL);
    assertThat(kafka.told()).as("a promotion of the minion could undo it").isEmpty();

    minion.execute("START REPLICA SQL_THREAD");
    assertThat(minion.catchesUpWith(master, Duration.ofSeconds(30))).isTrue();
    teller.run(ALL);
    assertThat(kafka.told()).hasSize(1);
    assertThat(untold()).as("Kafka has not acknowledged it").isEqualTo("1");

    kafka.acknowledge();
    teller.run(ALL);
    assertThat(kafka.told()).as("the same once more, by the same place").hasSize(2);
    assertThat(untold()).isEqualTo("0");
  }

  private String untold() {
    return master.query("SELECT COUNT(*) FROM trips_meta.conflict WHERE told_at IS NULL");
  }

  private void decide() {
    master.execute(
        """
        INSERT INTO trips_meta.conflict (topic_id, topic_kind, partition_no, record_offset,
          row_key, column_name, ref_key, kept_digest, refused_digest, kept_origin,
          refused_origin, record_key, record_value, record_headers, record_timestamp, decided_at)
        VALUES (x'%s', 'cells', 0, 7, UUID_TO_BIN(UUID()), 'BASE', 1, x'%s', x'%s', 'dc1', 'dc2',
          'key', 'the record', x'0100000000', 5, UTC_TIMESTAMP(6))
        """
            .formatted("7f".repeat(16), "aa".repeat(32), "bb".repeat(32)));
  }
}
