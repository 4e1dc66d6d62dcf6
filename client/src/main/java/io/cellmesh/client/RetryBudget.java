package io.cellmesh.client;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets one call in five be repeated, over and above the first {@value #AT_FIRST}: an outage must
 * not double the load on those that are left. What calls don't need is saved up, for all that are
 * under way at a host when it dies. Safe for several threads.
 */
final class RetryBudget {
  /** Retries that a client has before its first call. */
  static final int AT_FIRST = 10;

  /** Most retries that are saved up. */
  static final int AT_ONCE = 100;

  /** Calls that pay for a retry. */
  static final int CALLS_A_RETRY = 5;

  private final AtomicInteger saved = new AtomicInteger(AT_FIRST * CALLS_A_RETRY);

  /** Adds what a call pays. */
  void deposit() {
    saved.accumulateAndGet(1, (before, more) -> Math.min(AT_ONCE * CALLS_A_RETRY, before + more));
  }

  /** Takes what a retry costs, if there is so much. */
  boolean withdraw() {
    return saved.getAndUpdate(before -> before < CALLS_A_RETRY ? before : before - CALLS_A_RETRY)
        >= CALLS_A_RETRY;
  }
}
