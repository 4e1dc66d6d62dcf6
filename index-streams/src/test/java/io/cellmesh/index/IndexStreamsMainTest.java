package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.health.AppCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexStreamsMainTest {
  private static final long WHILE_MS = 3_000;
  private static final long END_MS = 30_000;

  @TempDir private Path dir;

  @Test
  void itWaitsWhileNoBrokersNameCanBeResolved() throws Exception {
    var topology =
        Files.writeString(dir.resolve("topology.yaml"), TestInstance.TOPOLOGY.formatted("trips"));
    var application = new Thread(() -> run(topology));
    application.start();
    application.join(WHILE_MS);
    assertThat(application.isAlive()).isTrue();

    application.interrupt();
    application.join(END_MS);
    assertThat(application.isAlive()).isFalse();
  }

  private void run(Path topology) {
    AppCommand.run(
        new IndexStreamsMain(),
        "--topology",
        topology.toString(),
        "--bootstrap",
        "brokers.invalid:9092",
        "--state-dir",
        dir.resolve("state").toString());
  }
}
