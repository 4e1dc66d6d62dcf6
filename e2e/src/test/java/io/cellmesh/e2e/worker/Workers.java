package io.cellmesh.e2e.worker;

import static org.awaitility.Awaitility.await;

import io.cellmesh.client.CellmeshClient;
import io.cellmesh.client.ClientSettings;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.worker.Worker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The workers of a stack's data centre, in this JVM. */
final class Workers implements AutoCloseable {
  private static final Duration READY = Duration.ofSeconds(60);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final List<Worker> workers = new ArrayList<>();
  private final DataCenter datacenter;
  private final Path directory;

  /** Starts none yet. */
  Workers(FaultStack stack) throws IOException {
    this.directory = stack.directory();
    this.datacenter =
        StateDirectory.ofStack(Deployment.read(directory.resolve(Deployment.FILE)))
            .datacenter(Optional.empty());
  }

  /** Starts one that reads the topology where commands write it. */
  String start() {
    return start(datacenter);
  }

  /** Starts one whose file stays as it is now, as on a machine that nobody thinks of. */
  String startWithAFileOfItsOwn() throws IOException {
    var copy = directory.resolve("topology-of-a-worker.yaml");
    Files.copy(directory.resolve("topology-%s.yaml".formatted(datacenter.name())), copy);
    return start(datacenter.with(TopologyStore.ofFile(copy)));
  }

  /** The workers of a list, as an application has them. */
  static CellmeshClient client(List<String> urls, Duration deadline) {
    return new CellmeshClient(
        ClientSettings.of("trips", urls.toArray(String[]::new)).withDeadline(deadline));
  }

  static boolean isReady(String url) {
    try {
      var request = HttpRequest.newBuilder(URI.create(url + "/readyz")).build();
      return HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    workers.forEach(Worker::close);
  }

  private String start(DataCenter dc) {
    var worker = Worker.start(new InetSocketAddress("127.0.0.1", 0), List.of(dc));
    workers.add(worker);
    var url = "http://127.0.0.1:" + worker.port();
    await("a worker").atMost(READY).until(() -> isReady(url));
    return url;
  }
}
