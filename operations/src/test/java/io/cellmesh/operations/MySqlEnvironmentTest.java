package io.cellmesh.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.MySqlTls;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.Deployment;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MySqlEnvironmentTest {
  private static final Topology HERE = topology("127.0.0.1");

  @TempDir private Path dir;

  @Test
  void withoutVariablesItIsTheUserThatTheCommandHasAndNoPassword() {
    var credentials = new MySqlEnvironment(Map.of()).credentials("root", HERE);

    assertThat(credentials.user()).isEqualTo("root");
    assertThat(credentials.password()).isEmpty();
    assertThat(credentials.tls()).isEqualTo(MySqlTls.DEFAULT);
  }

  @Test
  void aPasswordIsTakenFromAFileWithoutItsLineEnd() throws Exception {
    var file = Files.writeString(dir.resolve("password"), "s3cret\n");
    var environment =
        Map.of("CELLMESH_MYSQL_USER", "anna", "CELLMESH_MYSQL_PASSWORD_FILE", file.toString());

    var credentials = new MySqlEnvironment(environment).credentials("root", HERE);

    assertThat(credentials.user()).isEqualTo("anna");
    assertThat(credentials.password()).isEqualTo("s3cret");
    assertThat(credentials).hasToString("anna");
  }

  @Test
  void theUserThatMinionsFollowWithHasAPasswordOfItsOwnAndTheTlsOfAll() throws Exception {
    var file = Files.writeString(dir.resolve("password"), "0ther\n");
    var environment =
        Map.of(
            "CELLMESH_MYSQL_USER", "anna",
            "CELLMESH_MYSQL_PASSWORD", "s3cret",
            "CELLMESH_REPLICATION_PASSWORD_FILE", file.toString(),
            "CELLMESH_MYSQL_SSL_MODE", "REQUIRED");

    var credentials = new MySqlEnvironment(environment).replication("repl", HERE);

    assertThat(credentials.user()).isEqualTo("repl");
    assertThat(credentials.password()).isEqualTo("0ther");
    assertThat(credentials.tls().mode()).isEqualTo(MySqlTls.Mode.REQUIRED);
  }

  @Test
  void allButTheUserOfADeploymentStays() throws Exception {
    Files.writeString(dir.resolve("topology.yaml"), TopologyYaml.write(HERE));
    var file =
        Files.writeString(
            dir.resolve("cellmesh.yaml"),
            """
            instance: trips
            datacenters:
              - name: dc1
                topology: topology.yaml
                mysql: {user: anna}
                connectors: {user: cellmesh, strimzi: {connect: cells}}
                workers: ["http://w1:8080"]
                mesh: {window: 500}
            """);
    var deployment = Deployment.read(file);

    var over = new MySqlEnvironment(Map.of("CELLMESH_MYSQL_USER", "root")).over(deployment);

    var dc = over.datacenters().get(0);
    assertThat(dc.reader().user()).isEqualTo("root");
    assertThat(dc.workers()).containsExactly(URI.create("http://w1:8080"));
    assertThat(dc.strimzi()).isPresent();
    assertThat(dc.mesh().window()).isEqualTo(500);
  }

  @Test
  void whatIsWrongIsNamedByItsVariable() {
    refused(Map.of("CELLMESH_MYSQL_SSL_MODE", "STRICT"), "CELLMESH_MYSQL_SSL_MODE: \"STRICT\"");
    refused(Map.of("CELLMESH_MYSQL_PASSWORD_FILE", "/no/such"), "CELLMESH_MYSQL_PASSWORD_FILE");
    refused(
        Map.of("CELLMESH_MYSQL_PASSWORD", "a", "CELLMESH_MYSQL_PASSWORD_FILE", "/b"), "not both");
    refused(
        Map.of("CELLMESH_MYSQL_SSL_MODE", "VERIFY_CA", "CELLMESH_MYSQL_TRUSTSTORE", "/no/such.p12"),
        "CELLMESH_MYSQL_TRUSTSTORE: /no/such.p12");
  }

  @Test
  void over_a_network_what_a_server_must_prove_has_to_be_said() {
    var away = topology("db1");

    assertThatThrownBy(() -> new MySqlEnvironment(Map.of()).credentials("root", away))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("CELLMESH_MYSQL_SSL_MODE: must be set, since db1:3306")
        .hasMessageContaining("VERIFY_IDENTITY");
    var said = new MySqlEnvironment(Map.of("CELLMESH_MYSQL_SSL_MODE", "PREFERRED"));
    assertThat(said.credentials("root", away).tls().mode()).isEqualTo(MySqlTls.Mode.PREFERRED);
  }

  private static Topology topology(String host) {
    return TopologyYaml.parse(
        """
        instance: trips
        shards: 1
        partitions: 1
        datacenter: dc1
        clusters:
          - {name: c1, shards: 0-0, epoch: 1, master: {url: "mysql://%s:3306"}, minions: []}
        """
            .formatted(host));
  }

  private static void refused(Map<String, String> environment, String message) {
    assertThatThrownBy(() -> new MySqlEnvironment(environment).credentials("root", HERE))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining(message);
  }
}
