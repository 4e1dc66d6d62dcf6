package io.cellmesh.connect.sink.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may post a connector does not thereby run classes in a worker. */
class KafkaClientSettingsTest {
  private static final String SCRAM =
      "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"a\" password=\"s3cret\";";

  @Test
  void what_a_client_needs_to_reach_its_brokers_is_passed_on_under_kafkas_own_name() {
    var settings =
        Map.of(
            "kafka.bootstrap.servers", "k1:9093",
            "kafka.security.protocol", "SASL_SSL",
            "kafka.sasl.mechanism", "SCRAM-SHA-512",
            "kafka.sasl.jaas.config", SCRAM,
            "kafka.ssl.truststore.location", "/etc/trust.p12",
            "kafka.request.timeout.ms", "100",
            "topics", "trips.cells");

    assertThat(KafkaClientSettings.problems(settings)).isEmpty();
    assertThat(KafkaClientSettings.of(settings))
        .hasSize(6)
        .containsEntry("bootstrap.servers", "k1:9093");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "metric.reporters",
        "interceptor.classes",
        "security.providers",
        "ssl.engine.factory.class",
        "sasl.login.class",
        "sasl.login.callback.handler.class",
        "sasl.client.callback.handler.class",
        "partitioner.class",
        "key.serializer",
        "config.providers",
        "no.such.setting"
      })
  void a_setting_that_names_classes_or_is_none_is_refused(String name) {
    assertThat(KafkaClientSettings.problems(Map.of("kafka." + name, "org.example.Evil")))
        .hasEntrySatisfying("kafka." + name, rule -> assertThat(rule).doesNotContain("Evil"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.sun.security.auth.module.JndiLoginModule required user.provider.url=\"ldap://x\";",
        "org.example.Evil required;",
        "org.apache.kafka.common.security.plain.PlainLoginModule required; org.example.Evil required;"
      })
  void a_login_by_another_class_is_refused(String jaas) {
    assertThat(KafkaClientSettings.problems(Map.of("kafka.sasl.jaas.config", jaas)))
        .containsOnlyKeys("kafka.sasl.jaas.config");
  }

  @Test
  void a_reference_to_a_config_provider_is_judged_when_it_is_resolved() {
    assertThat(
            KafkaClientSettings.problems(Map.of("kafka.sasl.jaas.config", "${file:/etc/k:jaas}")))
        .isEmpty();
  }
}
