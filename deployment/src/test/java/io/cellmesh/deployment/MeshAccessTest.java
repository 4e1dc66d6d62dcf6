package io.cellmesh.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The part {@code mesh} of a data centre. */
class MeshAccessTest {
  private static final String STORES =
      "keystore: own.p12, keystore_password: \"${directory:DIR:password}\", truststore: ca.p12, ";

  @TempDir private Path dir;

  @BeforeEach
  void topologies() throws IOException {
    for (var dc : new String[] {"dc1", "dc2", "dc3"}) {
      Files.writeString(
          dir.resolve(dc + ".yaml"),
          """
          instance: trips
          shards: 4
          partitions: 2
          datacenter: %s
          clusters:
            - {name: c1, shards: 0-3, epoch: 1, master: {url: "mysql://db:3301"}}
          """
              .formatted(dc));
    }
  }

  @Test
  void where_nothing_is_said_peers_are_read_on_their_brokers_by_one_thread() throws IOException {
    var mesh = read("{}");

    assertThat(mesh.peer("dc2")).isEqualTo(new PeerAccess.Kafka(1));
    assertThat(mesh.compression()).isEqualTo("lz4");
    assertThat(mesh.linger()).isZero();
    assertThat(mesh.window()).isEqualTo(250);
    assertThat(mesh.share()).isEqualTo(0.3);
    assertThat(mesh.server()).isEmpty();
    assertThat(deployment("{}").datacenters().get(0).meshTls()).isEmpty();
    assertThat(deployment("{}").datacenters().get(1).mesh()).isEqualTo(MeshAccess.USUAL);
  }

  @Test
  void each_peer_has_its_own_way_and_the_server_its_list() throws Exception {
    store("own.p12", "0wn");
    store("ca.p12", "");
    Files.writeString(dir.resolve("password"), "0wn");
    var dc =
        deployment(
                "{"
                    + STORES.replace("DIR", dir.toString())
                    + """
                    compression: zstd, linger: 250, window: 1000, share: 0.25,
                    serve: {bind: 0.0.0.0, port: 8443, allow: [dc2, dc3]},
                    peers: {dc2: {transport: http, url: "https://herb.dc2:8443"}, dc3: {transport: kafka, threads: 4}}}
                    """)
            .datacenters()
            .get(0);
    var mesh = dc.mesh();

    assertThat(mesh.peer("dc2"))
        .isEqualTo(new PeerAccess.Http(URI.create("https://herb.dc2:8443")));
    assertThat(mesh.peer("dc3")).isEqualTo(new PeerAccess.Kafka(4));
    assertThat(mesh.compression()).isEqualTo("zstd");
    assertThat(mesh.linger()).isEqualTo(250);
    assertThat(mesh.window()).isEqualTo(1_000);
    assertThat(mesh.share()).isEqualTo(0.25);
    assertThat(mesh.server())
        .isEqualTo(Optional.of(new MeshServer("0.0.0.0", 8443, Set.of("dc2", "dc3"))));
    assertThat(dc.meshTls()).isPresent();
  }

  @Test
  void on_this_machine_no_certificate_is_needed() throws IOException {
    var mesh =
        read(
            "{serve: {port: 8443, allow: [dc2]}, peers: {dc2: {transport: http, url:"
                + " \"http://127.0.0.1:8444\"}}}");

    assertThat(mesh.server().orElseThrow().bind()).isEqualTo("127.0.0.1");
    assertThat(mesh.peer("dc2")).isInstanceOf(PeerAccess.Http.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{peer: {}} | mesh: unknown field \"peer\"; known are [compression, keystore,"
            + " keystore_password, linger, peers, serve, share, truststore, truststore_password, window]",
        "{compression: gzip} | compression: \"gzip\" is none of lz4, none and zstd",
        "{share: 0.05} | share: \"0.05\" is not in 0.1..1",
        "{share: 1.5} | share: \"1.5\" is not in 0.1..1",
        "{share: half} | share: \"half\" is not in 0.1..1",
        "{linger: -1} | linger: \"-1\" is not in 0..1000",
        "{linger: 1001} | linger: \"1001\" is not in 0..1000",
        "{window: 199} | window: \"199\" is not in 200..1000000",
        "{keystore: own.p12} | keystore and truststore go together: who has a certificate asks for"
            + " one, too",
        "{keystore: own.p12, truststore: ca.p12, keystore_password: s3cret} | keystore_password: a"
            + " secret is given by reference",
        "{serve: {allow: [dc2]}} | port is missing",
        "{serve: {port: 0, allow: [dc2]}} | port: \"0\" is not in 1..65535",
        "{serve: {port: x, allow: [dc2]}} | port: \"x\" is not in 1..65535",
        "{serve: {port: 8443}} | allow is missing",
        "{serve: {port: 8443, allow: []}} | allow: nobody may read, so serve nothing",
        "{serve: {port: 8443, allow: [DC2]}} | allow: \"DC2\" is not 1 to 48 of a-z, 0-9 and _",
        "{serve: {bind: 0.0.0.0, port: 8443, allow: [dc2]}} | bind: \"0.0.0.0\" is not this machine"
            + " alone, which needs keystore and truststore",
        "{serve: {bind: herb.dc1, port: 8443, allow: [dc2]}} | bind: \"herb.dc1\" is not this"
            + " machine alone, which needs keystore and truststore",
        "{peers: {dc2: {}}} | transport is missing",
        "{peers: {dc2: {transport: smtp}}} | transport: \"smtp\" is none of http and kafka",
        "{peers: {dc2: {transport: kafka, url: \"https://h:1\"}}} | transport: kafka: unknown field"
            + " \"url\"; known are [threads, transport]",
        "{peers: {dc2: {transport: kafka, threads: 65}}} | threads: \"65\" is not in 1..64",
        "{peers: {dc2: {transport: http, threads: 2, url: \"https://h:1\"}}} | transport: http:"
            + " unknown field \"threads\"; known are [transport, url]",
        "{peers: {dc2: {transport: http}}} | url is missing",
        "{peers: {dc2: {transport: http, url: \"ftp://h\"}}} | url: must be http://host:port or"
            + " https://host:port, and hold no password",
        "{peers: {dc2: {transport: http, url: \"https://h:1\"}}} | url: https needs keystore and"
            + " truststore, with which both sign on",
        "{peers: {dc2: {transport: http, url: \"http://herb.dc2:8443\"}}} | url: must be"
            + " https://host:port, since \"herb.dc2\" is not this machine",
        "{peers: {dc1: {transport: kafka}}} | peers: \"dc1\" is no other data centre of this file;"
            + " there are [dc2, dc3]",
        "{peers: {dc9: {transport: kafka}}} | peers: \"dc9\" is no other data centre of this file;"
            + " there are [dc2, dc3]",
      })
  void what_breaks_a_rule_is_refused_with_its_line_its_field_and_the_rule(
      String mesh, String message) {
    assertThatThrownBy(() -> deployment(mesh))
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining("line 5: " + message)
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void stores_that_can_not_be_read_are_named_when_somebody_asks_and_not_before() throws Exception {
    var mesh = "{" + STORES.replace("DIR", dir.toString()) + "}";
    var opened = deployment(mesh);
    assertThat(opened.datacenters().get(0).mesh()).isEqualTo(MeshAccess.USUAL);
    assertThatThrownBy(() -> opened.datacenters().get(0).meshTls())
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining("line 5: keystore_password: ");

    Files.writeString(dir.resolve("password"), "0ther");
    store("own.p12", "0wn");
    assertThatThrownBy(() -> opened.datacenters().get(0).meshTls())
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining("line 5: keystore: ")
        .hasMessageContaining("own.p12 can't be read as PKCS12 or JKS with its password")
        .hasMessageNotContaining("0ther");
  }

  private void store(String name, String password) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (var out = Files.newOutputStream(dir.resolve(name))) {
      store.store(out, password.toCharArray());
    }
  }

  private MeshAccess read(String mesh) throws IOException {
    return deployment(mesh).datacenters().get(0).mesh();
  }

  private Deployment deployment(String mesh) throws IOException {
    return DeploymentYaml.parse(
        "cellmesh.yaml",
        """
        instance: trips
        datacenters:
          - name: dc1
            topology: dc1.yaml
            mesh: %s
          - {name: dc2, topology: dc2.yaml}
          - {name: dc3, topology: dc3.yaml}
        """
            .formatted(mesh.replace("\n", " ").strip()),
        dir);
  }
}
