package io.cellmesh.e2e.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.Topology;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.e2e.Command;
import io.cellmesh.stack.Stack;
import io.cellmesh.worker.Worker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A worker before the whole system: the real sink, source and index streams. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WorkerPath {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Stack stack;
  private Worker worker;

  WorkerPath(Stack stack) {
    this.stack = stack;
  }

  @BeforeAll
  void start() throws Exception {
    worker =
        Worker.start(
            new InetSocketAddress("127.0.0.1", 0),
            List.of(stack.deployment().datacenters().get(0)));
    await().atMost(SOON).until(() -> send("GET", "/readyz", null).statusCode() == 200);
    // The class before this one has killed c1's master; the sink may not have met it again yet.
    await().atMost(SOON).until(() -> put(rowOf("c1"), 1, "1", "").statusCode() == 200);
  }

  @AfterAll
  void stop() {
    if (worker != null) {
      worker.close();
    }
  }

  @Test
  void what_is_told_visible_is_there_and_what_is_told_buffered_becomes_visible() throws Exception {
    for (int i = 0; i < 50; i++) {
      var row = UUID.randomUUID();
      var put = put(row, 1, "{\"n\":%d}".formatted(i), "");
      assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
      assertThat(rows(row)).as("at once").isEqualTo("1");
    }
    var conflict = UUID.randomUUID();
    put(conflict, 1, "1", "");
    var second = put(conflict, 1, "2", "");
    assertThat(second.statusCode()).as(second.body()).isEqualTo(409);

    var driver = UUID.randomUUID();
    var trip = "{\"driver_partner_uuid\":\"%s\",\"city_uuid\":\"%s\"}".formatted(driver, driver);
    assertThat(put(UUID.randomUUID(), 1, trip, "").statusCode()).isEqualTo(200);
    await()
        .atMost(SOON)
        .until(
            () ->
                json(page(driver)).path("entries").size() == 1
                    && page(driver).body().contains("cells"));

    var primary = stack.devStack().cluster("dc1", "c1").master();
    primary.kill();
    var waiting = rowOf("c1");
    long begun = System.nanoTime();
    var buffered = put(waiting, 1, "1", "?deadline=20000");
    assertThat(buffered.statusCode()).as(buffered.body()).isEqualTo(202);
    assertThat(json(buffered).get("state").asText()).as(buffered.body()).isEqualTo("buffered");
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    assertThat(put(rowOf("c2"), 1, "1", "").statusCode()).isEqualTo(200);

    open(primary);
    await()
        .atMost(SOON)
        .until(() -> send("GET", path(waiting) + "/BASE/1", null).statusCode() == 200);
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(put(rowOf("c1"), 1, "1", "").statusCode()).isEqualTo(200));
    var verify = Command.on(stack.devStack().stateDir(), "verify");
    assertThat(verify.exit()).as(verify.out() + verify.err()).isZero();
  }

  @Test
  void the_calls_of_the_page_do_what_it_says() throws Exception {
    var driver = UUID.randomUUID();
    var calls =
        Files.readAllLines(HOME.resolve("docs/worker.md")).stream()
            .filter(line -> line.startsWith("curl ") && line.contains("localhost:8080"))
            .map(line -> line.replace("localhost:8080", "localhost:" + worker.port()))
            .map(line -> line.replace("shard_field=UUID", "shard_field=" + driver))
            .toList();

    assertThat(calls).hasSizeGreaterThanOrEqualTo(8);
    for (var call : calls) {
      assertThat(shell(call + " -fsS")).as(call).isNotBlank();
    }
    assertThat(shell(calls.get(0))).contains("HTTP/1.1 200", "Cellmesh-Position", "\"visible\"");
    assertThat(shell(of(calls, "cells:put"))).contains("\"status\":200");
    assertThat(shell(of(calls, "cells:get"))).contains("{\"fare\":12.5}", "\"driving\"");
    assertThat(shell(of(calls, "indexes/"))).contains("\"entries\":[]");
  }

  private static String of(List<String> calls, String part) {
    return calls.stream().filter(call -> call.contains(part)).findFirst().orElseThrow();
  }

  /** What a line prints, without the remark behind it. */
  private static String shell(String line) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder("sh", "-c", line.replaceFirst(" +# .*?( -fsS)?$", "$1"))
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(line + ": " + said).isZero();
    return said;
  }

  private static void open(MySqlServer primary) {
    primary.start();
    primary.awaitReady();
    primary.openMaster();
  }

  private HttpResponse<String> page(UUID driver) {
    var path = "/v1/trips/indexes/driver_partner_index?columns=*&shard_field=";
    return send("GET", path + driver, null);
  }

  private HttpResponse<String> put(UUID row, int ref, String body, String query) {
    return send("PUT", path(row) + "/BASE/" + ref + query, body);
  }

  private static String path(UUID row) {
    return "/v1/trips/cells/" + row;
  }

  private HttpResponse<String> send(String method, String path, String body) {
    var uri = URI.create("http://127.0.0.1:%d%s".formatted(worker.port(), path));
    var publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    try {
      return HTTP.send(
          HttpRequest.newBuilder(uri).method(method, publisher).build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode json(HttpResponse<String> answer) throws Exception {
    return new ObjectMapper().readTree(answer.body());
  }

  private UUID rowOf(String cluster) {
    var topology = topology();
    while (true) {
      var row = UUID.randomUUID();
      if (topology.clusterOf(topology.shards().of(row)).name().equals(cluster)) {
        return row;
      }
    }
  }

  /** With a connection of its own. */
  private String rows(UUID row) {
    int shard = topology().shards().of(row);
    return stack
        .devStack()
        .serverAt(topology().clusterOf(shard).master().port())
        .orElseThrow()
        .query(
            "SELECT COUNT(*) FROM trips_%04d.entity WHERE row_key = UUID_TO_BIN('%s')"
                .formatted(shard, row));
  }

  private Topology topology() {
    return stack.devStack().topology("dc1");
  }
}
