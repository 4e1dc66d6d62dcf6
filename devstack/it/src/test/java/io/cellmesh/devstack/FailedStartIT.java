package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailedStartIT {
  @TempDir Path dir;

  @Test
  void aPartThatDoesNotStartIsNamedWithItsLogAndTheReasonAndNothingIsLeftRunning() {
    var stateDir = dir.resolve("stack");
    var options =
        Options.defaults()
            .withStateDir(stateDir)
            .withDatacenters(1)
            .withClusters(1)
            .withBrokerSetting("log.retention.ms", "for ever");

    assertThatThrownBy(() -> DevStack.start(options, Progress.silent()))
        .isInstanceOf(DevStackException.class)
        .hasMessageContaining("dc1-kafka ended while starting")
        .hasMessageContaining(stateDir.resolve("logs/dc1-kafka.log").toString())
        .hasMessageContaining("for ever");

    assertThat(DevStack.down(stateDir)).isZero();
    assertThatThrownBy(() -> Endpoints.read(stateDir)).hasMessageContaining("no stack");
  }

  @Test
  void aRunningStackIsNotOverwritten() {
    var stateDir = dir.resolve("stack");
    var options =
        Options.defaults()
            .withStateDir(stateDir)
            .withDatacenters(1)
            .withClusters(1)
            .withMinions(0)
            .withoutKafka();

    try (var first = DevStack.start(options, Progress.silent())) {
      assertThatThrownBy(() -> DevStack.start(options, Progress.silent()))
          .hasMessageContaining("a stack is running in")
          .hasMessageContaining("dc1-c1-m");
      assertThat(first.server("dc1-c1-m").query("SELECT 1")).isEqualTo("1");
    }
    try (var second = DevStack.start(options, Progress.silent())) {
      assertThat(second.server("dc1-c1-m").isAlive()).isTrue();
    }
  }

  @Test
  void aDirectoryWithSomethingElseIsLeftAlone() throws Exception {
    var file = Files.writeString(dir.resolve("thesis.txt"), "years of work");

    assertThatThrownBy(() -> StateDir.create(Optional.of(dir)))
        .isInstanceOf(DevStackException.class)
        .hasMessageContaining("holds something that is not a stack");
    assertThat(file).hasContent("years of work");
  }
}
