package io.cellmesh.e2e.commands;

import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.UnderTarget;
import io.cellmesh.e2e.index.IndexSwitching;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
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
 * A data centre with an index, for its versions, and for commands that change its roles, its
 * connectors and its log.
 */
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class OneDataCentreIT {
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  private static Path state;

  private static Stack stack;

  @BeforeAll
  static void start() throws Exception {
    var index = StateDirectory.home().resolve("connectors/indexes/driver_partner_index.yaml");
    var options = new StackOptions(Optional.of(state), 1, 8, 4, List.of(IndexFile.read(index)));
    stack = Stack.start(options, Command.silent().steps());
  }

  @AfterAll
  static void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  /** First, since it goes by an example that begins with no cell. */
  @Nested
  @Order(1)
  class Index extends IndexSwitching {
    Index() {
      super(stack);
    }
  }

  @Nested
  @Order(2)
  class Strimzi extends StrimziOwned {
    Strimzi() {
      super(stack);
    }
  }

  /** Last, since it takes a connector away in the end. */
  @Nested
  @Order(3)
  class LogRebuild extends LogRebuilding {
    LogRebuild() {
      super(stack);
    }
  }
}
