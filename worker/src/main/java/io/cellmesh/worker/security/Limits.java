package io.cellmesh.worker.security;

import java.time.Duration;

/**
 * How much a worker takes from those who connect.
 *
 * @param connections at most; more wait until others end
 * @param idle how long a connection on which nothing moves is kept
 * @param body how long a request's body may take to arrive
 * @param answer how long a client may read nothing of an answer that is being written, for which a
 *     thread waits
 */
public record Limits(int connections, Duration idle, Duration body, Duration answer) {
  /**
   * Enough for many clients. Idle connections are kept for longer than clients keep theirs, so that
   * none is ended while its client begins a call.
   */
  public static final Limits USUAL =
      new Limits(20_000, Duration.ofMinutes(5), Duration.ofSeconds(30), Duration.ofSeconds(30));

  /** The same with another number of connections. */
  public Limits withConnections(int connections) {
    return new Limits(connections, idle, body, answer);
  }
}
