package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.cellmesh.deployment.Deployment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines that {@code cellmesh status} gives Connect and its connectors. */
class ConnectStatusTest {
  @TempDir private Path dir;

  @Test
  void one_that_answers_and_refuses_is_not_said_to_be_away() throws Exception {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(401, -1);
          exchange.close();
        });
    server.start();
    try {
      var dc = deployment(server.getAddress().getPort()).datacenters().get(0);

      var parts = new ConnectStatus("trips").of(dc, List.of());

      assertThat(parts).hasSize(1);
      assertThat(parts.get(0).up()).isFalse();
      assertThat(parts.get(0).detail()).contains("answers 401");
    } finally {
      server.stop(0);
    }
  }

  private Deployment deployment(int port) throws Exception {
    Files.writeString(
        dir.resolve("topology.yaml"),
        """
        instance: trips
        shards: 2
        partitions: 2
        datacenter: dc1
        clusters:
          - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://127.0.0.1:3306"}}
        """);
    var file =
        Files.writeString(
            dir.resolve("cellmesh.yaml"),
            """
            instance: trips
            datacenters:
              - {name: dc1, topology: topology.yaml, connect: {url: "http://127.0.0.1:%d"}}
            """
                .formatted(port));
    return Deployment.read(file);
  }
}
