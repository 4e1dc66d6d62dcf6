package io.cellmesh.e2e.faults;

import io.cellmesh.e2e.UnderTarget;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scenarios that share one stack, since it takes long to start. They come in their order; what one
 * leaves broken is mended for the next. What they leave together passes {@code verify}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public abstract class StackScenarios {
  /** Of the servers and their logs; stays when a scenario has failed. */
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  protected static Path state;

  /** There from before the first scenario until the last has ended. */
  protected FaultStack stack;

  /** Starts the stack that the scenarios need; it is closed when they have ended. */
  protected abstract FaultStack start() throws Exception;

  @BeforeAll
  final void startStack() throws Exception {
    stack = start();
  }

  @AfterEach
  final void healStack() {
    stack.heal();
  }

  /** Whether each scenario has verified the stack when it ended. */
  protected boolean isVerified() {
    return Figures.isFull();
  }

  @AfterAll
  final void verifyAndCloseStack() {
    if (stack == null) {
      return;
    }
    try {
      if (!isVerified()) {
        Report.line("verify: %s", stack.verify());
      }
    } finally {
      stack.close();
    }
  }
}
