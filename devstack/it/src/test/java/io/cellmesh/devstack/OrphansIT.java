package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the children when their launcher goes. */
class OrphansIT {
  @TempDir Path dir;

  @Test
  void aKilledLauncherLeavesNothingBehind() throws Exception {
    var launcher = launch("hold");
    var children = readPids(launcher);
    assertThat(children).hasSize(2).allMatch(ProcessHandle::isAlive);

    launcher.destroyForcibly().waitFor();

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void aTerminatedLauncherStopsItsChildrenFirst() throws Exception {
    var launcher = launch("hold");
    var children = readPids(launcher);

    launcher.destroy();
    launcher.waitFor();

    assertThat(children).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void aKeptStackOutlivesItsLauncherAndIsTakenOverAndStopped() throws Exception {
    var launcher = launch("keep");
    var children = readPids(launcher);
    assertThat(launcher.waitFor()).isZero();
    assertThat(children).hasSize(2).allMatch(ProcessHandle::isAlive);

    try (var stack = DevStack.attach(stateDir())) {
      var cluster = stack.cluster("dc1", "c1");
      cluster.master().execute("CREATE DATABASE after");
      assertThat(cluster.minions().get(0).catchesUpWith(cluster.master(), Duration.ofSeconds(60)))
          .isTrue();
      cluster.minions().get(0).kill();
      cluster.minions().get(0).restart();
    }

    assertThat(DevStack.down(stateDir())).isEqualTo(2);
    assertThat(children).noneMatch(ProcessHandle::isAlive);
    assertThat(DevStack.down(stateDir())).isZero();
  }

  private Path stateDir() {
    return dir.resolve("stack");
  }

  private Process launch(String what) throws Exception {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-cp",
            System.getProperty("java.class.path"),
            Launcher.class.getName(),
            stateDir().toString(),
            what)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static List<ProcessHandle> readPids(Process launcher) throws Exception {
    var line = new BufferedReader(launcher.inputReader()).readLine();
    assertThat(line).as("the launcher's pids").isNotNull();
    return Stream.of(line.split(" ")).map(Long::valueOf).flatMap(OrphansIT::handle).toList();
  }

  private static Stream<ProcessHandle> handle(long pid) {
    return ProcessHandle.of(pid).stream();
  }

  /** Starts a cluster, prints the pids of its servers, and holds on until it is ended. */
  static final class Launcher {
    private Launcher() {}

    public static void main(String[] args) throws Exception {
      var stack =
          DevStack.start(
              Options.defaults()
                  .withStateDir(Path.of(args[0]))
                  .withDatacenters(1)
                  .withClusters(1)
                  .withoutKafka(),
              Progress.silent());
      System.out.println(
          String.join(
              " ", stack.children().stream().map(child -> Long.toString(child.pid())).toList()));
      if (args[1].equals("keep")) {
        stack.keep();
        return;
      }
      Thread.currentThread().join();
    }
  }
}
