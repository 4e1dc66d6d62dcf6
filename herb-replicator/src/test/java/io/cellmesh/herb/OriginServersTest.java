package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MeshAccess;
import io.cellmesh.deployment.MeshServer;
import io.cellmesh.deployment.MeshTls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which instances' logs are served at which ports. Nobody gets as far as Kafka. */
class OriginServersTest {
  private final OriginServers servers = new OriginServers(Runnable::run);

  @AfterEach
  void close() {
    servers.close();
  }

  @Test
  void instances_share_a_port_and_each_says_who_may_read_its_log() throws IOException {
    int port = freePort();
    servers.serve(ends("trips", port, "dc2"));
    servers.serve(ends("riders", port, "dc3"));
    assertThat(ask(port, "trips", "dc3")).isEqualTo(403);
    assertThat(ask(port, "riders", "dc2")).isEqualTo(403);
    assertThat(ask(port, "eats", "dc2")).isEqualTo(404);

    servers.leave("trips");
    assertThat(ask(port, "trips", "dc3")).isEqualTo(404);
    assertThat(ask(port, "riders", "dc2")).isEqualTo(403);
    servers.leave("riders");
    assertThatThrownBy(() -> ask(port, "riders", "dc2")).isInstanceOf(ConnectException.class);
  }

  @Test
  void an_instance_that_is_served_elsewhere_or_no_longer_is_not_served_where_it_was()
      throws IOException {
    int port = freePort();
    servers.serve(ends("trips", port, "dc2"));
    servers.serve(ends("riders", port, "dc2"));
    int other = freePort();
    servers.serve(ends("trips", other, "dc2"));
    assertThat(ask(port, "trips", "dc7")).isEqualTo(404);
    assertThat(ask(other, "trips", "dc7")).isEqualTo(403);

    servers.serve(ends("trips", Optional.empty(), Optional.empty()));
    assertThatThrownBy(() -> ask(other, "trips", "dc7")).isInstanceOf(ConnectException.class);
  }

  @Test
  void one_with_other_certificates_is_refused_at_the_same_port_and_the_rest_stays()
      throws IOException {
    int port = freePort();
    servers.serve(ends("trips", port, "dc2"));
    var server = new MeshServer("127.0.0.1", port, Set.of("dc2"));
    assertThatThrownBy(
            () -> servers.serve(ends("riders", Optional.of(server), Optional.of(certificates()))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "mesh.serve: 127.0.0.1:%d was opened with another keystore or truststore"
                .formatted(port));
    assertThat(ask(port, "riders", "dc7")).isEqualTo(404);
    assertThat(ask(port, "trips", "dc7")).isEqualTo(403);
  }

  private static MeshTls certificates() {
    try {
      return new MeshTls(SSLContext.getDefault(), "another");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Ends ends(String instance, int port, String allowed) {
    return ends(
        instance,
        Optional.of(new MeshServer("127.0.0.1", port, Set.of(allowed))),
        Optional.empty());
  }

  private static Ends ends(
      String instance, Optional<MeshServer> server, Optional<MeshTls> certificates) {
    var topology =
        TopologyYaml.parse(
            """
            instance: %s
            shards: 64
            partitions: 16
            datacenter: dc1
            clusters:
              - {name: c1, shards: 0-63, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
            """
                .formatted(instance));
    return new Ends(
        topology,
        KafkaAccess.plain("127.0.0.1:9"),
        new MeshAccess("lz4", 0, MeshAccess.WINDOW, MeshAccess.SHARE, Map.of(), server),
        () -> certificates,
        new TreeMap<>(Map.of("dc2", Optional.of(KafkaAccess.plain("127.0.0.1:9")))),
        Set.of("dc1", "dc2"),
        LinkLimits.SHARED);
  }

  private static int ask(int port, String instance, String caller) throws IOException {
    var at = URI.create("http://127.0.0.1:%d/v1/%s/mesh/log".formatted(port, instance)).toURL();
    var asked = (HttpURLConnection) at.openConnection();
    asked.setRequestProperty(Callers.HEADER, caller);
    return asked.getResponseCode();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
