package io.cellmesh.client;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/**
 * The MySQL server that answered.
 *
 * @param server {@code CLUSTER/ROLE/HOST:PORT}
 * @param staleUpTo what the master has for longer than this is in the answer: zero for the master's
 *     own answer, empty if nobody can tell
 */
public record Source(String server, Optional<Duration> staleUpTo) {

  /** Reads the words of the contract; a bound that can't be read is none. */
  static Source of(String server, Optional<String> staleUpTo) {
    return new Source(server, staleUpTo.map(Source::bound).orElse(Optional.of(Duration.ZERO)));
  }

  /** Reads a bound; one that can't be read is none. */
  static Optional<Duration> bound(String seconds) {
    if (seconds.equals(WorkerApi.UNKNOWN)) {
      return Optional.empty();
    }
    try {
      long nanos = new BigDecimal(seconds).movePointRight(9).longValueExact();
      return nanos < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
    } catch (ArithmeticException | NumberFormatException e) {
      return Optional.empty();
    }
  }
}
