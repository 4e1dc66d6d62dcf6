package io.cellmesh.e2e.page;

import io.cellmesh.e2e.Command;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestClassOrder;

/**
 * A data centre with an index and three storage clusters, for its page and for what goes through a
 * worker. Both lose a master and bring it back, each with a worker of its own.
 */
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class WorkerPagesIT {
  private static Stack stack;

  @BeforeAll
  static void start() throws Exception {
    var index = StateDirectory.home().resolve("connectors/indexes/driver_partner_index.yaml");
    var options = StackOptions.of(1, List.of(IndexFile.read(index))).withClusters(3);
    stack = Stack.start(options, Command.silent().steps());
  }

  @AfterAll
  static void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  /** First, since it shows all that there is. */
  @Nested
  @Order(1)
  class Page extends Ui {
    Page() {
      super(stack);
    }
  }

  @Nested
  @Order(2)
  class Path extends WorkerPath {
    Path() {
      super(stack);
    }
  }
}
