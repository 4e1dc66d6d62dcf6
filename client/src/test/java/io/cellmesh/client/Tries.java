package io.cellmesh.client;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.awaitility.core.ThrowingRunnable;

/** Tries again what is late on a machine that is busy otherwise, though not for so long. */
final class Tries {
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private Tries() {}

  /**
   * Tries until an assertion holds for once; a call that fails is a try that does not.
   *
   * @throws org.awaitility.core.ConditionTimeoutException with the last failure, if it never does
   */
  static void oneHolds(ThrowingRunnable tried) {
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .ignoreException(CellmeshException.class)
        .untilAsserted(tried);
  }
}
