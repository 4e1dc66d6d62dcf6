package io.cellmesh.devstack.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.cellmesh.devstack.Progress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is fetched is taken for what its own pinned sum says it is, and for nothing else. */
class MavenFetchTest {
  private static final MavenArtifact ARTIFACT =
      new MavenArtifact("org.example", "no-such-thing", "1", "any", "zip");

  /** Of "content". */
  private static final String SHA256 =
      "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73";

  @TempDir Path dir;
  private HttpServer host;
  private MavenFetch fetch;

  @BeforeEach
  void serve() throws IOException {
    host = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    host.start();
    var address = "http://127.0.0.1:" + host.getAddress().getPort() + "/maven2/";
    fetch = new MavenFetch(Progress.silent(), URI.create(address));
  }

  @AfterEach
  void stop() {
    host.stop(0);
  }

  @Test
  void a_file_with_the_pinned_sum_is_taken() throws IOException {
    answer("content");

    assertThat(fetch.file(ARTIFACT, SHA256, dir.resolve("file"))).hasContent("content");
  }

  @Test
  void another_file_is_refused_and_deleted_whatever_the_host_says_of_it() {
    answer("c0ntent");
    var download = dir.resolve("file");

    assertThatThrownBy(() -> fetch.file(ARTIFACT, SHA256, download))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no-such-thing-1-any.zip")
        .hasMessageContaining(SHA256);
    assertThat(download).doesNotExist();
  }

  private void answer(String content) {
    host.createContext(
        "/maven2/" + ARTIFACT.path(),
        exchange -> {
          var bytes = content.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
  }
}
