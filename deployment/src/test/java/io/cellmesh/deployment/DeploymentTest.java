package io.cellmesh.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.MySqlTls;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeploymentTest {
  private static final String TOPOLOGY =
      """
      instance: trips
      shards: 4
      partitions: 2
      datacenter: %s
      clusters:
        - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://%s:3301"}}
        - {name: c2, shards: 2-3, epoch: 1, master: {url: "mysql://%s:3302"}}
      """;

  @TempDir private Path dir;

  @BeforeEach
  void topologies() throws IOException {
    Files.writeString(dir.resolve("dc1.yaml"), TOPOLOGY.formatted("dc1", "db1", "db2"));
    Files.writeString(dir.resolve("dc2.yaml"), TOPOLOGY.formatted("dc2", "db3", "db4"));
  }

  @Test
  void a_peer_hides_its_brokers_where_nobody_in_reach_reads_on_them() throws IOException {
    var kafka = "kafka: {bootstrap: \"k1:9092\"}";
    var http = "mesh: {peers: {dc2: {transport: http, url: \"http://127.0.0.1:1\"}}}";

    assertThat(hidden(kafka + ", " + http, "workers: []")).containsExactly("dc2");
    assertThat(hidden(kafka + ", " + http, kafka)).isEmpty();
    assertThat(hidden(kafka, "workers: []")).isEmpty();
    assertThat(hidden(http, "workers: []")).isEmpty();
  }

  @Test
  void everything_that_a_data_centre_says_is_read() throws IOException {
    Files.writeString(dir.resolve("reader"), "r3ad");
    Files.writeString(dir.resolve("ops.properties"), "mysql=0ps\nconnect=c0nnect\n");
    Files.writeString(
        dir.resolve("kafka.properties"),
        "security.protocol=SASL_SSL\nsasl.jaas.config=x password=\"${file:%s:connect}\";\n"
            .formatted(dir.resolve("ops.properties")));
    var deployment =
        read(
            """
            instance: trips
            datacenters:
              - name: dc1
                topology: dc1.yaml
                kafka: {bootstrap: "k1:9093", config: kafka.properties}
                connect: {url: "https://c1:8083", user: ops, password: "${file:DIR/ops.properties:connect}"}
                mysql: {user: cellmesh_reader, password: "${directory:DIR:reader}", ssl: REQUIRED}
                operator: {user: cellmesh_operator, password: "${file:DIR/ops.properties:mysql}"}
                connectors:
                  user: "cellmesh_{role}"
                  password: "${directory:/run/secrets:{role}}"
                  ssl: VERIFY_IDENTITY
                  truststore: /etc/ca.p12
                  kafka: {bootstrap.servers: "k1:9095", security.protocol: SSL}
                  settings: {sink: {tasks.max: "8"}}
                workers: ["http://w1:8080"]
            """
                .replace("DIR", dir.toString()));

    var dc = deployment.datacenter(Optional.of("dc1"));
    assertThat(deployment.instance()).isEqualTo("trips");
    assertThat(dc.kafka().client())
        .containsEntry("bootstrap.servers", "k1:9093")
        .containsEntry("sasl.jaas.config", "x password=\"c0nnect\";");
    assertThat(dc.connect().login().orElseThrow().getPassword()).isEqualTo("c0nnect".toCharArray());
    assertThat(dc.reader().password()).isEqualTo("r3ad");
    assertThat(dc.operator().user()).isEqualTo("cellmesh_operator");
    assertThat(dc.operator().password()).isEqualTo("0ps");
    assertThat(dc.operator().tls().mode()).isEqualTo(MySqlTls.Mode.REQUIRED);
    assertThat(dc.connectors().mysql("sink").user()).isEqualTo("cellmesh_sink");
    assertThat(dc.connectors().mysql("sink").password())
        .isEqualTo("${directory:/run/secrets:sink}");
    assertThat(dc.connectors().bootstrap()).isEqualTo("k1:9095");
    assertThat(dc.connectors().kafka()).isEqualTo(Map.of("security.protocol", "SSL"));
    assertThat(dc.connectors().settings("sink")).isEqualTo(Map.of("tasks.max", "8"));
    assertThat(dc.connectors().settings("source")).isEmpty();
    assertThat(dc.workers()).containsExactly(URI.create("http://w1:8080"));
    assertThat(deployment.toString() + dc.kafka() + dc.connect() + dc.reader())
        .doesNotContain("c0nnect", "r3ad", "0ps");
  }

  @Test
  void who_owns_the_connectors_is_said() throws IOException {
    var yaml =
        """
        instance: trips
        datacenters:
          - name: dc1
            topology: dc1.yaml
            connectors: {user: u, ssl: REQUIRED, strimzi: {namespace: cells, connect: workers, kafka: brokers}}
          - name: dc2
            topology: dc2.yaml
            connectors: {user: u, ssl: REQUIRED, strimzi: {connect: workers}}
        """;

    assertThat(read(yaml).datacenters())
        .extracting(DataCenter::strimzi)
        .containsExactly(
            Optional.of(
                new StrimziCluster(Optional.of("cells"), "workers", Optional.of("brokers"))),
            Optional.of(new StrimziCluster(Optional.empty(), "workers", Optional.empty())));
    assertThat(read(yaml.replaceAll(", strimzi: \\{.*?}", "")).datacenters())
        .extracting(DataCenter::strimzi)
        .containsOnly(Optional.empty());
  }

  @Test
  void the_secret_of_another_role_need_not_be_there() throws IOException {
    var deployment =
        read(
            """
            instance: trips
            datacenters:
              - name: dc1
                topology: dc1.yaml
                mysql: {user: reader, ssl: REQUIRED}
                operator: {user: operator, password: "${env:CELLMESH_NO_SUCH_VARIABLE}"}
            """);
    var dc = deployment.datacenters().get(0);

    assertThat(dc.reader().user()).isEqualTo("reader");
    assertThatThrownBy(dc::operator)
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining("line 6")
        .hasMessageContaining("${env:CELLMESH_NO_SUCH_VARIABLE}")
        .hasMessageContaining("the variable is not set");
    assertThatThrownBy(dc::connect)
        .hasMessageContaining("cellmesh.yaml")
        .hasMessageContaining("connect of dc1 is missing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "mysql: {user: u, password: secret}| never itself",
        "connect: {url: \"http://c1:8083\", user: u, password: secret}| never itself",
        "connect: {url: \"http://c1:8083\", truststore: t, truststore_password: secret}| never itself",
        "mysql: {user: u, password: \"${env:}\"}| lacks its provider or its key",
        "mysql: {user: u, password: \"${file:key}\"}| lacks its path",
        "connectors: {user: u, ssl: REQUIRED, password: secret}| never itself",
        "connectors: {user: u, ssl: REQUIRED, password: \"${directory:{role}}\"}| lacks its path",
        "connectors: {user: u, ssl: REQUIRED, kafka: {sasl.jaas.config: secret}}| never itself",
        "connectors: {user: u, ssl: REQUIRED, settings: {sinks: {a: b}}}| sinks is none of",
        "connectors: {user: u, ssl: REQUIRED, settings: {sink: {topology: x}}}| topology follows",
        "connectors: {user: u, ssl: REQUIRED, settings: {sink: {x.password: secret}}}| never itself",
        "connectors: {user: u, ssl: REQUIRED, strimzi: {namespace: cells}}| connect is missing",
        "connectors: {user: u, ssl: REQUIRED, strimzi: {conect: cells}}| unknown field \"conect\"",
        "connectors: {user: u, ssl: REQUIRED, strimzi: {connect: my_cells}}| connect: \"my_cells\" is not 1 to 63",
        "connect: {url: \"http://u:secret@c1:8083\"}| must be http://host:port",
        "connect: {url: \"ftp://c1\"}| must be http://host:port",
        "connect: {url: \"//c1:8083\"}| must be http://host:port",
        "workers: [\"w1:8080\"]| workers: must be http://host:port",
        "workers: \"http://w1:8080\"| workers must be a list",
        "workers: [{url: \"http://w1:8080\"}]| workers must be a list of texts",
        "kafka: {config: k.properties}| bootstrap is missing",
        "mysql: {user: u, ssl: SOMETIMES}| \"SOMETIMES\" is not one of",
        "mysql: {user: u}| ssl: must be set, since db1:3301 is not this machine",
        "mongo: {}| unknown field \"mongo\"",
      })
  void a_wrong_line_is_refused_with_its_number_and_without_a_secret(String line, String rule) {
    assertThatThrownBy(
            () ->
                read(
                    """
                    instance: trips
                    datacenters:
                      - name: dc1
                        topology: dc1.yaml
                        LINE
                    """
                        .replace("LINE", line)))
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining("cellmesh.yaml: line 5: ")
        .hasMessageContaining(rule)
        .hasMessageNotContaining("secret:")
        .hasMessageNotContaining(":secret");
  }

  @Test
  void what_connectors_are_told_needs_no_secret_of_anybody_else() throws IOException {
    Files.writeString(
        dir.resolve("kafka.properties"), "sasl.jaas.config=${env:CELLMESH_NO_SUCH_VARIABLE}\n");
    var yaml =
        """
        instance: trips
        datacenters:
          - name: dc1
            topology: dc1.yaml
            kafka: {bootstrap: "k1:9093", config: kafka.properties}
            connectors: {user: u, ssl: REQUIRED}
        """;

    assertThat(read(yaml).datacenters().get(0).connectors().bootstrap()).isEqualTo("k1:9093");
    var without = read(yaml.replaceAll("(?m)^ *kafka:.*\n", "")).datacenters().get(0);
    assertThatThrownBy(without::connectors)
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining("kafka of dc1 is missing, and is needed for this")
        .hasMessageNotContaining("truststore");
  }

  @Test
  void a_file_whose_data_centres_do_not_belong_together_is_refused() throws IOException {
    var two =
        """
        instance: trips
        datacenters:
          - {name: dc1, topology: dc1.yaml}
          - {name: dc2, topology: dc2.yaml}
        """;
    assertThat(read(two).datacenters()).hasSize(2);

    refused(two.replace("trips", "rides"), "line 1: instance: \"rides\" is not that of");
    refused(two.replace("name: dc2", "name: dc3"), "line 4: name: \"dc3\" is not that of");
    refused(two.replace("dc2", "dc1"), "\"dc1\" stands there twice");
    refused(
        two.replace("dc2.yaml", "dc4.yaml"),
        "line 4: topology: %s: can't be read: there is no such file"
            .formatted(dir.resolve("dc4.yaml")));
    Files.writeString(
        dir.resolve("dc2.yaml"),
        TOPOLOGY.formatted("dc2", "db3", "db4").replace("partitions: 2", "partitions: 4"));
    refused(two, "dc2 has trips with 4 shards and 4 partitions");
  }

  @Test
  void a_secret_of_a_directory_that_ends_with_a_line_break_is_refused() throws IOException {
    Files.writeString(dir.resolve("reader"), "r3ad\n");
    var dc =
        read("""
                instance: trips
                datacenters:
                  - name: dc1
                    topology: dc1.yaml
                    mysql: {user: u, ssl: REQUIRED, password: "${directory:DIR:reader}"}
                """
                .replace("DIR", dir.toString()))
            .datacenters()
            .get(0);

    assertThatThrownBy(dc::reader)
        .hasMessageContaining("line 5: password")
        .hasMessageContaining("ends with a line break")
        .hasMessageNotContaining("r3ad");
  }

  private void refused(String yaml, String rule) {
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining(rule);
  }

  private List<String> hidden(String dc1, String dc2) throws IOException {
    var deployment =
        read(
            """
            instance: trips
            datacenters:
              - {name: dc1, topology: dc1.yaml, %s}
              - {name: dc2, topology: dc2.yaml, %s}
            """
                .formatted(dc1, dc2));
    var inReach = deployment.inReach().datacenters();
    return deployment.datacenters().stream()
        .filter(dc -> !inReach.contains(dc))
        .map(DataCenter::name)
        .toList();
  }

  private Deployment read(String yaml) throws IOException {
    return Deployment.read(Files.writeString(dir.resolve("cellmesh.yaml"), yaml));
  }
}
