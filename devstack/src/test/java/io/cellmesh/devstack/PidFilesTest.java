package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PidFilesTest {
  private static final int RESTARTS = 5_000;

  @TempDir private Path state;

  @Test
  void who_looks_while_a_child_starts_again_sees_a_whole_pid() {
    var household = new Household(state, Optional.empty());
    long pid = ProcessHandle.current().pid();
    household.started("child", pid);
    var restarts =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < RESTARTS; i++) {
                household.started("child", pid);
              }
            });
    while (!restarts.isDone()) {
      // This JVM does not name the state directory, so it is no child of the stack.
      assertThat(PidFiles.running(household, "child")).isEmpty();
      assertThat(PidFiles.names(household)).containsExactly("child");
    }
    restarts.join();
  }
}
