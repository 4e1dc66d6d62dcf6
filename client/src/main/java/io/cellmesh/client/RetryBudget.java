package io.cellmesh.client;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets at most one request in five be a repeated one, over and above {@value #AT_ONCE} in a row: an
 * outage must not double the load on those that are left. Safe for several threads.
 */
final class RetryBudget {
  /** Most retries that calls which needed none save up. */
  static final int AT_ONCE = 10;

  /** Calls that pay for a retry. */
  static final int CALLS_A_RETRY = 5;

  private static final int MOST = AT_ONCE * CALLS_A_RETRY;

  private final AtomicInteger saved = new AtomicInteger(MOST);

  /** Adds what a call pays. */
  void deposit() {
    saved.accumulateAndGet(1, (before, more) -> Math.min(MOST, before + more));
  }

  /** Takes what a retry costs, if there is so much. */
  boolean withdraw() {
    return saved.getAndUpdate(before -> before < CALLS_A_RETRY ? before : before - CALLS_A_RETRY)
        >= CALLS_A_RETRY;
  }
}
