package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.devstack.DevStack;
import io.cellmesh.health.AppCommand;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexStreamsMainTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final long WHILE_MS = 3_000;

  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir private Path dir;

  @Test
  void itWaitsAndSaysSoWhileNoBrokersNameCanBeResolved() throws Exception {
    var topology =
        Files.writeString(dir.resolve("topology.yaml"), TestInstance.TOPOLOGY.formatted("trips"));
    int port = DevStack.freePort();
    var application = new Thread(() -> run(topology, port));
    application.start();
    await()
        .atMost(SOON)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(() -> assertThat(health(port)).contains("no broker's name can be resolved"));
    // So long that it has tried again.
    application.join(WHILE_MS);
    assertThat(application.isAlive()).isTrue();

    application.interrupt();
    application.join(SOON.toMillis());
    assertThat(application.isAlive()).isFalse();
  }

  private String health(int port) throws IOException, InterruptedException {
    var url = URI.create("http://127.0.0.1:%d/health".formatted(port));
    return client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString()).body();
  }

  private void run(Path topology, int port) {
    AppCommand.run(
        new IndexStreamsMain(),
        "--topology",
        topology.toString(),
        "--bootstrap",
        "brokers.invalid:9092",
        "--state-dir",
        dir.resolve("state").toString(),
        "--health-port",
        Integer.toString(port));
  }
}
