package io.cellmesh.e2e.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.UnderTarget;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.topics.LogShape;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A real data centre whose log has a topic for each shard. */
class ShardTopicsIT {
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  static Path state;

  @Test
  void everyCommandReadsTheLogShardByShard() throws Exception {
    var options =
        new StackOptions(Optional.of(state), 1, 8, 4, List.of()).withShape(LogShape.TOPIC);
    try (var stack = Stack.start(options, Command.silent().steps())) {
      succeeds(stack, "load", "--trips", "300");
      // It waits until the cells are in the log.
      assertThat(succeeds(stack, "verify").out()).contains("order out");
      assertThat(succeeds(stack, "tail", "--shard", "5", "-n", "3").out().lines())
          .hasSize(3)
          .allMatch(line -> line.contains("shard 05 #"));

      succeeds(stack, "log", "rebuild", "--cluster", "c2", "--yes");

      succeeds(stack, "verify");
      succeeds(stack, "log", "rebuild", "--delete-old", "--yes");
      succeeds(stack, "verify");
    }
  }

  private static Command succeeds(Stack stack, String... args) {
    return Command.on(stack.directory().path(), args).succeeded();
  }
}
