package io.cellmesh.worker;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits for what comes soon, and on a machine that is busy otherwise a good while later. */
public final class Patience {
  private Patience() {}

  /** As Awaitility's own, whose ten seconds a pause of the machine can take up. */
  public static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofSeconds(30));
  }
}
