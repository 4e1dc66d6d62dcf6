package io.cellmesh.client;

import static org.awaitility.Awaitility.await;

import java.time.Duration;

/** Waits for what a worker sees of a client. */
final class Asked {
  private Asked() {}

  static void of(UnrulyWorker worker, int requests) {
    await()
        .atMost(Tries.PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> worker.requests().size() >= requests);
  }

  /** The client has ended all connections. */
  static void closed(UnrulyWorker worker) {
    await().atMost(Tries.PATIENCE).until(() -> worker.open() == 0);
  }
}
