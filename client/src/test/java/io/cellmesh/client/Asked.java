package io.cellmesh.client;

import static org.awaitility.Awaitility.await;

import java.time.Duration;

/** Waits for what a worker sees of a client. */
final class Asked {
  private static final Duration SOON = Duration.ofSeconds(5);

  private Asked() {}

  static void of(UnrulyWorker worker, int requests) {
    await()
        .atMost(SOON)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> worker.requests().size() >= requests);
  }

  /** The client has ended all connections. */
  static void closed(UnrulyWorker worker) {
    await().atMost(SOON).until(() -> worker.open() == 0);
  }
}
