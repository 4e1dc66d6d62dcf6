package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DebeziumSettingsTest {

  @Test
  void the_server_and_the_tables_follow_from_the_topology() {
    assertThat(settings(Samples.settings()))
        .containsEntry("database.hostname", "db2.example")
        .containsEntry("database.port", "3302")
        .containsEntry("database.user", "reader")
        .containsEntry("database.password", "s3cret")
        .containsEntry("topic.prefix", "trips.dc1.c1")
        .containsEntry("schema.history.internal.cellmesh.shards", "0-31");
  }

  @Test
  void debezium_speaks_tls_as_the_connector_is_told_to() {
    assertThat(settings(Samples.settings())).containsEntry("database.ssl.mode", "preferred");
    assertThat(settings(Samples.settings("mysql.ssl.mode", "VERIFY_IDENTITY")))
        .containsEntry("database.ssl.mode", "verify_identity")
        .doesNotContainKey("database.ssl.truststore");
  }

  @Test
  void only_the_entity_tables_of_the_clusters_shards_are_captured() {
    var tables = settings(Samples.settings()).get("table.include.list");

    assertThat("trips_0031.entity").matches(tables);
    assertThat("trips_0032.entity").doesNotMatch(tables);
    assertThat("trips_0031.idx_driver_v1").doesNotMatch(tables);
    assertThat("trips_meta.buffer").doesNotMatch(tables);
  }

  @Test
  void each_cluster_of_each_data_centre_is_a_replica_of_its_own() {
    var c1 = settings(Samples.settings());
    var c2 = settings(Map.of("cluster", "c2", "read.from", "master"), "dc1");
    var other = settings(Map.of(), "dc2");

    assertThat(c1.get("database.server.id"))
        .isEqualTo(settings(Samples.settings("read.from", "master")).get("database.server.id"))
        .isNotEqualTo(c2.get("database.server.id"))
        .isNotEqualTo(other.get("database.server.id"))
        .isNotEqualTo(settings(Samples.settings("name", "second")).get("database.server.id"));
    assertThat(Long.parseLong(c1.get("database.server.id"))).isBetween(1L << 30, (1L << 31) - 1);
  }

  @Test
  void the_offset_belongs_to_the_cluster_and_not_to_the_server_that_is_read() {
    assertThat(settings(Samples.settings("read.from", "master")))
        .containsEntry("topic.prefix", "trips.dc1.c1");
  }

  @Test
  void a_default_gives_way_to_the_user_and_what_is_fixed_does_not() {
    assertThat(settings(Samples.settings("debezium.max.queue.size", "99")))
        .containsEntry("max.queue.size", "99")
        .containsEntry("max.batch.size", "1")
        .containsEntry("connect.keep.alive", "false")
        .containsEntry("snapshot.mode", "never");
  }

  private static Map<String, String> settings(Map<String, String> changes, String datacenter) {
    var settings = Samples.settings();
    settings.put("topology", Samples.TOPOLOGY.replace("dc1", datacenter));
    settings.putAll(changes);
    return settings(settings);
  }

  private static Map<String, String> settings(Map<String, String> settings) {
    var config = new CellSourceConfig(settings);
    var minions = config.cluster().minions();
    return DebeziumSettings.of(
        config, minions.isEmpty() ? config.cluster().master() : minions.get(0));
  }
}
