package io.cellmesh.worker.status;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/**
 * Samples of the last hour, the newest of each minute. It holds {@value #MINUTES} of them at most,
 * however often something is added. Thread-safe.
 */
final class Hour<T> {
  static final int MINUTES = 60;

  private final ArrayDeque<Sample<T>> samples = new ArrayDeque<>();

  /** One sample. */
  record Sample<T>(Instant at, T value) {
    private long minute() {
      return at.getEpochSecond() / 60;
    }
  }

  /**
   * Adds a sample; one of the same minute goes, but for the first of all, from which differences
   * are counted.
   */
  synchronized void add(Instant at, T value) {
    var sample = new Sample<>(at, value);
    if (samples.size() > 1 && samples.getLast().minute() == sample.minute()) {
      samples.removeLast();
    }
    samples.addLast(sample);
    while (samples.size() > MINUTES
        || samples.getFirst().at().isBefore(at.minus(Duration.ofMinutes(MINUTES)))) {
      samples.removeFirst();
    }
  }

  /** The oldest first. */
  synchronized List<Sample<T>> samples() {
    return List.copyOf(samples);
  }

  /** Of the last hour; empty before the first sample. */
  synchronized Optional<Sample<T>> oldest() {
    return Optional.ofNullable(samples.peekFirst());
  }
}
