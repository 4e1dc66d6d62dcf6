package io.cellmesh.connect.source;

import java.time.Duration;

/** Delays that double from the first to the longest. */
final class Backoff {
  private final Duration first;
  private final Duration longest;
  private Duration next;

  Backoff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
    this.next = first;
  }

  Duration next() {
    var delay = next;
    var doubled = delay.multipliedBy(2);
    next = doubled.compareTo(longest) < 0 ? doubled : longest;
    return delay;
  }

  void reset() {
    next = first;
  }
}
