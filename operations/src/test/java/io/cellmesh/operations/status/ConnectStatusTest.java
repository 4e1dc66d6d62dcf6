package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
      var url = "http://127.0.0.1:" + server.getAddress().getPort();
      var dc =
          OneDataCenter.with("connect: {url: \"%s\"}".formatted(url), dir).datacenters().get(0);

      var parts = new ConnectStatus("trips").of(dc, List.of());

      assertThat(parts).hasSize(1);
      assertThat(parts.get(0).up()).isFalse();
      assertThat(parts.get(0).detail()).contains("answers 401");
    } finally {
      server.stop(0);
    }
  }
}
