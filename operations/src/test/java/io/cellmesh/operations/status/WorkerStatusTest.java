package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
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

/** The line that {@code cellmesh status} gives a worker. */
class WorkerStatusTest {
  @TempDir private Path dir;

  private HttpServer server;
  private URI url;
  private volatile String said = "";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/readyz",
        exchange -> {
          var bytes = said.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(
              said.contains("\"status\":\"ready\"") ? 200 : 503, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void one_that_is_ready_says_where_its_page_is() throws Exception {
    said =
        "{\"status\":\"ready\",\"instances\":{\"trips\":{\"datacenter\":\"dc1\",\"ready\":true}}}";

    assertThat(part()).isEqualTo(new Part("dc1", "worker", url.toString(), true, page()));
  }

  @Test
  void one_that_is_not_ready_says_why() throws Exception {
    said =
        "{\"status\":\"not ready\",\"instances\":{\"trips\":{\"datacenter\":\"dc1\",\"ready\":false,\"why\":\"Kafka does not answer\"}}}";
    assertThat(part()).isEqualTo(down("Kafka does not answer"));

    said =
        "{\"status\":\"ending\",\"instances\":{\"trips\":{\"datacenter\":\"dc1\",\"ready\":true}}}";
    assertThat(part()).isEqualTo(down("is about to end"));
  }

  @Test
  void one_that_asks_for_tokens_says_no_more_than_whether_it_is_ready() throws Exception {
    said = "{\"status\":\"ready\",\"instances\":{}}";
    assertThat(part().up()).isTrue();

    said = said.replace("ready", "not ready");
    assertThat(part()).isEqualTo(down("is not ready, as its log says"));
  }

  @Test
  void what_another_instance_of_it_lacks_is_not_this_ones_trouble() throws Exception {
    said =
        "{\"status\":\"not ready\",\"instances\":{\"rides\":{\"datacenter\":\"dc1\",\"ready\":false},\"trips\":{\"datacenter\":\"dc1\",\"ready\":true}}}";
    assertThat(part().up()).isTrue();
  }

  @Test
  void one_of_another_instance_or_data_centre_is_none_of_this_one() throws Exception {
    said = "{\"status\":\"ready\",\"instances\":{\"rides\":{\"datacenter\":\"dc1\"}}}";
    assertThat(part()).isEqualTo(down("does not serve trips"));

    said = "{\"status\":\"ready\",\"instances\":{\"trips\":{\"datacenter\":\"dc2\"}}}";
    assertThat(part()).isEqualTo(down("serves dc2"));
  }

  @Test
  void what_does_not_answer_or_is_no_worker_is_down() throws Exception {
    said = "<html>";
    assertThat(part()).isEqualTo(down("does not answer as a worker"));

    server.stop(0);
    assertThat(part()).isEqualTo(down("does not answer as a worker"));
  }

  private String page() {
    return "its page is " + url + "/ui/";
  }

  private Part down(String why) {
    return new Part("dc1", "worker", url.toString(), false, why);
  }

  private Part part() throws Exception {
    var deployment = OneDataCenter.with("workers: [\"%s\"]".formatted(url), dir);
    var parts = WorkerStatus.of(deployment.datacenters().get(0));
    assertThat(parts).hasSize(1);
    return parts.get(0);
  }
}
