package io.cellmesh.e2e.pair;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.e2e.UnderTarget;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two data centres, which take half a minute of both processors to start, for all that needs no
 * others. Each of the three leaves them as they were but for more cells, or comes last.
 */
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class TwoDataCentresIT {
  /** Under target, so that its logs are there when a test has failed. */
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  private static Path state;

  private static TwoDataCentres stack;

  @BeforeAll
  static void start() throws Exception {
    stack = TwoDataCentres.start(state);
  }

  @AfterAll
  static void stopAndLeaveNothingBehind() {
    if (stack != null) {
      var children = stack.servers().children();
      stack.close();
      assertThat(children).noneMatch(child -> child.isAlive());
    }
  }

  @Nested
  @Order(1)
  class Verification extends Verifying {
    Verification() {
      super(stack);
    }
  }

  @Nested
  @Order(2)
  class Main extends MainPath {
    Main() {
      super(stack);
    }
  }

  @Nested
  @Order(3)
  class Poison extends PoisonRecords {
    Poison() {
      super(stack);
    }
  }
}
