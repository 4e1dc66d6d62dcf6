package io.cellmesh.e2e.commands;

import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.UnderTarget;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data centre without an index, for commands that change its roles, its connectors and its log.
 */
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class OneDataCentreIT {
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  private static Path state;

  private static Stack stack;

  @BeforeAll
  static void start() throws Exception {
    var options = new StackOptions(Optional.of(state), 1, 8, 4, List.of());
    stack = Stack.start(options, Command.silent().steps());
  }

  @AfterAll
  static void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  @Nested
  @Order(1)
  class Strimzi extends StrimziOwned {
    Strimzi() {
      super(stack);
    }
  }

  /** Last, since it takes a connector away in the end. */
  @Nested
  @Order(2)
  class LogRebuild extends LogRebuilding {
    LogRebuild() {
      super(stack);
    }
  }
}
