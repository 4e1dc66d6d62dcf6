package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.MySqlTls;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class CellSourceConfigTest {

  @Test
  void right_settings_have_no_errors() {
    assertThat(errors(Samples.settings())).isEmpty();
  }

  @Test
  void an_unknown_cluster_is_refused_and_the_known_ones_are_listed() {
    assertThat(errors(Samples.settings("cluster", "c9")))
        .containsOnlyKeys("cluster")
        .hasEntrySatisfying(
            "cluster", m -> assertThat(m).singleElement().asString().contains("c9", "[c1, c2]"));
  }

  @Test
  void a_topology_with_a_gap_is_refused_and_the_shards_are_named() {
    var gap = Samples.TOPOLOGY.replace("32-63", "40-63");

    assertThat(errors(Samples.settings("topology", gap)))
        .containsOnlyKeys("topology")
        .hasEntrySatisfying(
            "topology", m -> assertThat(m).singleElement().asString().contains("32-39"));
  }

  @Test
  void the_master_is_read_after_a_while_or_never() {
    assertThat(new CellSourceConfig(Samples.settings()).masterAfter())
        .hasValue(Duration.ofSeconds(30));
    assertThat(new CellSourceConfig(Samples.settings("read.master.after.ms", "-1")).masterAfter())
        .isEmpty();
    assertThat(errors(Samples.settings("read.master.after.ms", "-2")))
        .containsOnlyKeys("read.master.after.ms");
  }

  @Test
  void a_shape_of_the_log_that_is_not_known_is_refused() {
    assertThat(errors(Samples.settings("shard.topics", "table"))).containsOnlyKeys("shard.topics");
  }

  @Test
  void columns_that_have_a_topic_of_their_own_are_a_list_and_none_by_default() {
    assertThat(new CellSourceConfig(Samples.settings()).triggerColumns()).isEmpty();
    assertThat(
            new CellSourceConfig(Samples.settings("trigger.columns", "BASE, STATUS"))
                .triggerColumns())
        .containsExactly("BASE", "STATUS");
  }

  @Test
  void a_column_that_can_have_no_topic_is_refused_with_its_name_and_the_rule() {
    assertThat(errors(Samples.settings("trigger.columns", "BASE,FARE DUE")))
        .containsOnlyKeys("trigger.columns")
        .hasEntrySatisfying(
            "trigger.columns",
            m -> assertThat(m).singleElement().asString().contains("\"FARE DUE\" is not 1 to 64"));
    assertThat(errors(Samples.settings("trigger.columns", "a.b,a_b")))
        .hasEntrySatisfying(
            "trigger.columns", m -> assertThat(m).singleElement().asString().contains("metrics"));
    assertThat(errors(Samples.settings("trigger.columns", "BASE,,STATUS")))
        .containsOnlyKeys("trigger.columns");
  }

  @Test
  void columns_topics_that_connect_would_make_with_other_partitions_are_refused() {
    var settings = Samples.settings("trigger.columns", "BASE");
    settings.put("topic.creation.default.partitions", "1");
    assertThat(errors(settings))
        .containsOnlyKeys("trigger.columns")
        .hasEntrySatisfying(
            "trigger.columns",
            m ->
                assertThat(m)
                    .singleElement()
                    .asString()
                    .contains("trips.trigger.BASE with 1 partitions")
                    .contains("topic.creation.default.partitions")
                    .contains("the 16 of the topology"));

    settings.put("topic.creation.groups", "log, trigger");
    settings.put("topic.creation.log.include", "trips\\.log");
    settings.put("topic.creation.trigger.include", "x, trips\\.trigger\\..*");
    settings.put("topic.creation.trigger.partitions", "16");
    assertThat(errors(settings)).isEmpty();
    settings.put("topic.creation.trigger.exclude", ".*BASE");
    assertThat(errors(settings)).containsOnlyKeys("trigger.columns");
  }

  @Test
  void a_trust_store_is_looked_at_before_any_server_is() {
    var settings = Samples.settings("mysql.ssl.truststore.location", "/no/such/file.p12");
    assertThat(errors(settings))
        .containsOnlyKeys("mysql.ssl.truststore.location")
        .hasEntrySatisfying(
            "mysql.ssl.truststore.location",
            m -> assertThat(m).singleElement().asString().contains("VERIFY_IDENTITY"));
    settings.put("mysql.ssl.mode", "VERIFY_IDENTITY");
    assertThat(errors(settings))
        .hasEntrySatisfying(
            "mysql.ssl.truststore.location",
            m -> assertThat(m).singleElement().asString().contains("/no/such/file.p12"));
    assertThat(errors(Samples.settings("mysql.ssl.mode", "verify"))).containsKey("mysql.ssl.mode");
  }

  @Test
  void over_a_network_what_a_server_must_prove_has_to_be_said() {
    var unsaid = Samples.settings();
    unsaid.remove("mysql.ssl.mode");

    assertThat(errors(unsaid))
        .containsOnlyKeys("mysql.ssl.mode")
        .hasEntrySatisfying(
            "mysql.ssl.mode",
            m ->
                assertThat(m)
                    .singleElement()
                    .asString()
                    .contains("must be set, since db1.example:3301 is not this machine"));

    unsaid.put("topology", Samples.TOPOLOGY.replaceAll("db(\\d).example", "127.0.0.$1"));
    assertThat(errors(unsaid)).isEmpty();
    assertThat(new CellSourceConfig(unsaid).tls().mode()).isEqualTo(MySqlTls.Mode.PREFERRED);
  }

  @Test
  void what_is_missing_is_named() {
    assertThat(errors(Map.of())).containsOnlyKeys("topology", "cluster", "mysql.user");
  }

  @Test
  void settings_of_debezium_that_make_the_records_right_are_not_the_users() {
    var name = "debezium.snapshot.mode";
    assertThat(errors(Samples.settings(name, "initial"))).containsOnlyKeys(name);
    assertThat(errors(Samples.settings("debezium.gtid.source.includes", ".*"))).isNotEmpty();
    assertThat(errors(Samples.settings("debezium.max.queue.size", "99"))).isEmpty();
    assertThat(errors(Samples.settings("debezium.connect.keep.alive", "true"))).isNotEmpty();
  }

  @Test
  void debeziums_settings_reach_neither_classes_nor_the_driver() {
    for (var name :
        List.of(
            "converters",
            "post.processors",
            "signal.enabled.channels",
            "driver.allowLoadLocalInfile",
            "driver.queryInterceptors",
            "database.connection.factory.class",
            "internal.schema.history.internal.something")) {
      assertThat(errors(Samples.settings("debezium." + name, "x")))
          .as(name)
          .hasEntrySatisfying(
              "debezium." + name,
              m -> assertThat(m).singleElement().asString().contains("max.queue.size"));
    }
  }

  @Test
  void a_task_does_not_start_with_wrong_settings() {
    assertThatThrownBy(() -> new CellSourceConfig(Samples.settings("cluster", "c9")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("[c1, c2]");
  }

  @Test
  void the_password_is_in_no_text() {
    var config = new CellSourceConfig(Samples.settings());

    assertThat(config.toString() + config.values()).doesNotContain("s3cret");
  }

  private static Map<String, List<String>> errors(Map<String, String> settings) {
    var errors = new HashMap<String, List<String>>();
    for (var value : new CellSourceConnector().validate(settings).configValues()) {
      if (!value.errorMessages().isEmpty()) {
        errors.put(value.name(), value.errorMessages());
      }
    }
    return errors;
  }
}
