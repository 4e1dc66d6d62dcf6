package io.cellmesh.e2e.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.cellmesh.devstack.DevStack;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** A Prometheus that asks every second, with our alerts, which here fire after a few. */
final class Prometheus implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Process process;
  private final String url;

  private Prometheus(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts it.
   *
   * @param program Prometheus itself
   * @param jobs the ports of each job's processes, on this machine
   */
  static Prometheus start(Path program, Path dir, Map<String, List<Integer>> jobs)
      throws IOException {
    var alerts = Files.readString(ShownMetrics.MONITORING.resolve("alerts.yaml"));
    Files.writeString(dir.resolve("alerts.yaml"), alerts.replaceAll("for: \\d+m", "for: 5s"));
    var scraped =
        jobs.entrySet().stream()
            .map(
                job ->
                    Map.of(
                        "job_name",
                        job.getKey(),
                        "static_configs",
                        List.of(
                            Map.of(
                                "targets",
                                job.getValue().stream()
                                    .map(port -> "127.0.0.1:" + port)
                                    .toList()))))
            .toList();
    var config = dir.resolve("prometheus.yaml");
    new ObjectMapper(new YAMLFactory())
        .writeValue(
            config.toFile(),
            Map.of(
                "global",
                Map.of("scrape_interval", "1s", "evaluation_interval", "1s"),
                "rule_files",
                List.of("alerts.yaml"),
                "scrape_configs",
                scraped));
    int port = DevStack.freePort();
    var process =
        new ProcessBuilder(
                program.toString(),
                "--config.file=" + config,
                "--storage.tsdb.path=" + dir.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("prometheus.log").toFile())
            .start();
    return new Prometheus(process, "http://127.0.0.1:" + port);
  }

  boolean isReady() throws InterruptedException {
    try {
      return HTTP.send(
                  HttpRequest.newBuilder(URI.create(url + "/-/ready")).build(),
                  BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** Evaluates an expression now; how many series it has. */
  int series(String expression) throws IOException, InterruptedException {
    var query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    var answer = get("/api/v1/query?query=" + query);
    if (!answer.path("status").textValue().equals("success")) {
      throw new AssertionError(expression + ": " + answer);
    }
    return answer.at("/data/result").size();
  }

  /** The names of the alerts that fire, with what they say. */
  Map<String, TreeSet<String>> firing() throws IOException, InterruptedException {
    var firing = new TreeMap<String, TreeSet<String>>();
    for (var alert : get("/api/v1/alerts").at("/data/alerts")) {
      if (alert.path("state").textValue().equals("firing")) {
        firing
            .computeIfAbsent(alert.at("/labels/alertname").textValue(), name -> new TreeSet<>())
            .add(alert.at("/annotations/summary").textValue());
      }
    }
    return firing;
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(url + path)).build();
    return new ObjectMapper().readTree(HTTP.send(request, BodyHandlers.ofString()).body());
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
