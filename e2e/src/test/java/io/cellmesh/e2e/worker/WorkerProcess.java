package io.cellmesh.e2e.worker;

import static org.awaitility.Awaitility.await;

import io.cellmesh.cli.Main;
import io.cellmesh.devstack.DevStack;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code cellmesh worker run} in a process of its own, which can be killed as such. */
final class WorkerProcess implements AutoCloseable {
  private static final Duration READY = Duration.ofSeconds(60);

  private final Path deployment;
  private final Path log;
  private final int port;
  private Process process;

  private WorkerProcess(Path deployment, Path log, int port) {
    this.deployment = deployment;
    this.log = log;
    this.port = port;
  }

  /**
   * Starts one, and waits until it is ready.
   *
   * @param directory of a stack, for its log as well
   */
  static WorkerProcess start(Path directory) throws IOException {
    var worker =
        new WorkerProcess(
            directory.resolve("cellmesh.yaml"),
            directory.resolve("worker.log"),
            DevStack.freePort());
    worker.start();
    return worker;
  }

  private void start() throws IOException {
    var command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(List.of(Main.class.getName(), "worker", "run"));
    command.addAll(List.of("--port", Integer.toString(port)));
    command.addAll(List.of("--deployment", deployment.toString()));
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    await("the worker of " + log).atMost(READY).until(() -> Workers.isReady(url()));
  }

  String url() {
    return URI.create("http://127.0.0.1:" + port).toString();
  }

  /** As {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
