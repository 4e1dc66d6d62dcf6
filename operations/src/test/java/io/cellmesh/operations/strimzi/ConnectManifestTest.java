package io.cellmesh.operations.strimzi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectManifestTest {
  private static final String PLAIN =
      "user: u\n      password: \"${directory:/mnt/cellmesh-mysql:{role}}\"";

  private static final String SASL =
      PLAIN
          + "\n      kafka: {security.protocol: SASL_SSL, sasl.mechanism: MECHANISM, sasl.jaas.config: \"${file:/mnt/cellmesh.{role}/jaas:key}\"}";

  @TempDir private Path dir;

  @Test
  void each_Secret_that_is_referred_to_is_mounted_where_the_reference_looks() throws IOException {
    var spec = spec(SASL.replace("MECHANISM", "SCRAM-SHA-512"));

    assertThat(spec.at("/template/pod/volumes"))
        .extracting(v -> v.path("name").asText() + "=" + v.at("/secret/secretName").asText())
        .containsExactly(
            "cellmesh-mysql=cellmesh-mysql",
            "cellmesh-index=cellmesh.index",
            "cellmesh-sink=cellmesh.sink",
            "cellmesh-source=cellmesh.source");
    assertThat(spec.at("/template/connectContainer/volumeMounts/1").toString())
        .isEqualTo("{\"name\":\"cellmesh-index\",\"mountPath\":\"/mnt/cellmesh.index\"}");
    assertThat(spec.at("/config/config.providers").asText()).isEqualTo("directory,file");
    assertThat(spec.at("/config/config.providers.file.param.allowed.paths").asText())
        .isEqualTo("/mnt");
  }

  @Test
  void the_tasks_of_a_worker_that_died_go_to_the_others_at_once() throws IOException {
    var spec = spec(SASL.replace("MECHANISM", "SCRAM-SHA-512"));

    assertThat(spec.at("/config/scheduled.rebalance.max.delay.ms").asText()).isEqualTo("0");
  }

  @Test
  void a_variable_is_a_key_of_one_Secret() throws IOException {
    var spec = spec("user: u\n      password: \"${env:MYSQL_{role}}\"");

    assertThat(spec.at("/template/connectContainer/env/0").toString())
        .isEqualTo(
            "{\"name\":\"MYSQL_index\",\"valueFrom\":{\"secretKeyRef\":{\"name\":\"workers-env\",\"key\":\"MYSQL_index\"}}}");
    assertThat(spec.at("/config/config.providers.env.param.allowlist.pattern").asText())
        .isEqualTo("MYSQL_index|MYSQL_sink|MYSQL_source");
  }

  @Test
  void the_workers_sign_on_as_the_connectors_do() throws IOException {
    var scram = spec(SASL.replace("MECHANISM", "SCRAM-SHA-512"));
    assertThat(scram.at("/tls/trustedCertificates/0/secretName").asText())
        .isEqualTo("brokers-cluster-ca-cert");
    assertThat(scram.at("/authentication/type").asText()).isEqualTo("scram-sha-512");
    assertThat(scram.at("/authentication/passwordSecret/secretName").asText())
        .isEqualTo("cellmesh-connect-worker");

    var certificate =
        spec(
            PLAIN
                + "\n      kafka: {security.protocol: SSL, ssl.keystore.location: \"/mnt/a/user.p12\"}");
    assertThat(certificate.at("/authentication/type").asText()).isEqualTo("tls");

    var plain = spec(PLAIN);
    assertThat(plain.has("authentication")).isFalse();
    assertThat(plain.has("tls")).isFalse();
  }

  @Test
  void what_Strimzi_can_not_do_is_refused() {
    assertThatThrownBy(() -> spec(SASL.replace("MECHANISM", "GSSAPI")))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("sasl.mechanism: \"GSSAPI\"");
    assertThatThrownBy(() -> spec("user: u\n      password: \"${directory:/etc/cellmesh:{role}}\""))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining(
            "${directory:/etc/cellmesh:sink}: Strimzi mounts a Secret at /mnt/NAME");
    assertThatThrownBy(() -> spec("user: u\n      ssl: VERIFY_CA\n      truststore: /etc/ca.p12"))
        .hasMessageContaining("/etc/ca.p12: Strimzi mounts");
  }

  @Test
  void plugins_are_archives_with_their_sums_and_names_without_their_versions() throws IOException {
    Files.writeString(dir.resolve("cellmesh-sink-0.1.0.zip"), "abc");
    Files.writeString(dir.resolve("other.tar.gz"), "");
    Files.writeString(dir.resolve("README.md"), "");

    assertThat(PluginArchive.in(dir, "https://files/x"))
        .containsExactly(
            new PluginArchive(
                "cellmesh-sink",
                "zip",
                "https://files/x/cellmesh-sink-0.1.0.zip",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"),
            new PluginArchive(
                "other",
                "tgz",
                "https://files/x/other.tar.gz",
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                    + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"));
    var empty = Files.createDirectory(dir.resolve("empty"));
    assertThatThrownBy(() -> PluginArchive.in(empty, "https://files"))
        .hasMessageContaining("holds no plug-in");
  }

  private JsonNode spec(String connectors) throws IOException {
    Files.writeString(
        dir.resolve("topology.yaml"),
        """
        instance: trips
        shards: 4
        partitions: 2
        datacenter: dc1
        clusters:
          - {name: c1, shards: 0-3, epoch: 1, master: {url: "mysql://127.0.0.1:3301"}}
        """);
    var file =
        Files.writeString(
            dir.resolve("cellmesh.yaml"),
            """
            instance: trips
            datacenters:
              - name: dc1
                topology: topology.yaml
                kafka: {bootstrap: "k1:9092"}
                connectors:
                  strimzi: {connect: workers, kafka: brokers}
                  CONNECTORS
            """
                .replace("CONNECTORS", connectors));
    var dc = Deployment.read(file).datacenters().get(0);
    return new ConnectManifest(2, "image", List.of(), Optional.empty())
        .of(dc, dc.strimzi().orElseThrow())
        .json()
        .path("spec");
  }
}
