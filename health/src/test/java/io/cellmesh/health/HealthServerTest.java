package io.cellmesh.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.health.AppMetric.Kind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class HealthServerTest {
  private final App app = new App();
  private boolean good = true;
  private HealthServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void health_is_200_if_all_is_well_else_503_and_says_how_it_is() throws Exception {
    start("--health-port", "0");
    var well = get("/health");
    assertThat(well.statusCode()).isEqualTo(200);
    assertThat(well.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(well.body()).isEqualTo("{\"status\":\"ok\"}");

    good = false;
    var ill = get("/health");
    assertThat(ill.statusCode()).isEqualTo(503);
    assertThat(ill.body()).isEqualTo("{\"status\":\"not ok\"}");
  }

  @Test
  void one_instance_can_be_asked_for() throws Exception {
    start("--health-port", "0");
    good = false;
    assertThat(get("/health?instance=trips").statusCode()).isEqualTo(503);
    assertThat(get("/health?verbose=1&instance=well").body()).isEqualTo("{\"status\":\"ok\"}");
    assertThat(get("/health?instance=well").statusCode()).isEqualTo(200);
    assertThat(get("/health?instance=").statusCode()).isEqualTo(404);
    var other = get("/health?instance=other");
    assertThat(other.statusCode()).isEqualTo(404);
    assertThat(other.body()).isEqualTo("{\"status\":\"there is no such instance here\"}");
    assertThat(get("/health?other=well").statusCode()).isEqualTo(503);
  }

  @Test
  void metrics_have_help_and_type_whether_all_is_well_or_not() throws Exception {
    good = false;
    start("--health-port", "0");
    var metrics = get("/metrics");
    assertThat(metrics.statusCode()).isEqualTo(200);
    assertThat(metrics.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/plain; version=0.0.4");
    assertThat(metrics.body())
        .isEqualTo(
            """
            # HELP cells_taken_total Cells that were taken.
            # TYPE cells_taken_total counter
            cells_taken_total{peer="a \\"quoted\\" one"} 7.0
            cells_taken_total{peer="dc2"} 1.2345678E7
            # HELP good 1 while all is well.
            # TYPE good gauge
            good 0.0
            """);
  }

  @Test
  void whoever_does_not_get_is_refused() throws Exception {
    start("--health-port", "0");
    for (var path : List.of("/health", "/metrics")) {
      var request = HttpRequest.newBuilder(at(path)).POST(BodyPublishers.noBody()).build();
      assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode())
          .isEqualTo(405);
    }
  }

  @Test
  void a_peer_that_does_not_finish_its_request_keeps_nobody_else_waiting() throws Exception {
    start("--health-port", "0");
    try (var slow = new Socket("127.0.0.1", server.address().getPort())) {
      slow.getOutputStream().write("GET /hea".getBytes(StandardCharsets.US_ASCII));
      // Until it is being read.
      Thread.sleep(300);
      var request = HttpRequest.newBuilder(at("/health")).timeout(Duration.ofSeconds(10)).build();
      assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void it_listens_on_the_loopback_interface_unless_told_otherwise() throws Exception {
    start("--health-port", "0");
    assertThat(server.address().getAddress().isLoopbackAddress()).isTrue();
    server.close();

    start("--health-port", "0", "--health-bind", "0.0.0.0");
    assertThat(server.address().getAddress().isAnyLocalAddress()).isTrue();
    assertThat(get("/health").statusCode()).isEqualTo(200);
  }

  @Test
  void without_a_port_nobody_listens_and_one_that_is_taken_is_named() throws Exception {
    new CommandLine(app).parseArgs();
    assertThat(app.health.answer(Now::new)).isEmpty();

    start("--health-port", "0");
    int taken = server.address().getPort();
    new CommandLine(app).parseArgs("--health-port", Integer.toString(taken));
    assertThatThrownBy(() -> app.health.answer(Now::new))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("--health-port: 127.0.0.1:" + taken + ": Address already in use");
  }

  private void start(String... options) throws IOException {
    new CommandLine(app).parseArgs(options);
    server = app.health.answer(Now::new).orElseThrow();
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(at(path)).build(), BodyHandlers.ofString());
  }

  private URI at(String path) {
    InetSocketAddress address = server.address();
    return URI.create("http://127.0.0.1:" + address.getPort() + path);
  }

  @Command
  private static final class App {
    @Mixin private HealthOptions health = new HealthOptions();
  }

  private final class Now implements Health {
    private final boolean isGood;

    private Now() {
      this(good);
    }

    private Now(boolean isGood) {
      this.isGood = isGood;
    }

    @Override
    public boolean isGood() {
      return isGood;
    }

    @Override
    public Map<String, Object> fields() {
      return Map.of("status", isGood ? "ok" : "not ok");
    }

    @Override
    public Optional<Health> ofInstance(String name) {
      return switch (name) {
        case "trips" -> Optional.of(this);
        case "well" -> Optional.of(new Now(true));
        default -> Optional.empty();
      };
    }

    @Override
    public MetricPage metrics() {
      return new MetricPage()
          .add(Figure.GOOD, isGood ? 1 : 0)
          .add(Figure.TAKEN, 12_345_678, "dc2")
          .add(Figure.TAKEN, 7, "a \"quoted\" one");
    }
  }

  private enum Figure implements AppMetric {
    GOOD("good", Kind.GAUGE, "1 while all is well."),
    TAKEN("cells_taken_total", Kind.COUNTER, "Cells that were taken.", "peer");

    private final Description description;

    Figure(String metric, Kind kind, String meaning, String... labels) {
      this.description = new Description(metric, kind, meaning, List.of(labels));
    }

    @Override
    public Description description() {
      return description;
    }
  }
}
