package io.cellmesh.stack.chaos;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The times in which nothing was struck, nor recovering: what a fault is compared with. */
final class Calm {
  /** What was written so shortly before a blow may be struck by it. */
  private static final long IN_FLIGHT_NANOS = Duration.ofSeconds(5).toNanos();

  private final Deque<Span> spans = new ArrayDeque<>();
  private long since;

  /**
   * A time, by {@link System#nanoTime}.
   *
   * @param end the first moment behind it
   */
  record Span(long begin, long end) {}

  void begins(long at) {
    since = at;
  }

  /** Ends it, for something is struck; nothing if it had hardly begun. */
  void ends(long at) {
    if (at - since > IN_FLIGHT_NANOS) {
      spans.push(new Span(since, at - IN_FLIGHT_NANOS));
    }
  }

  /** The latest of them, so much together at most; less if there was no more. */
  List<Span> latest(Duration most) {
    var latest = new ArrayList<Span>();
    long left = most.toNanos();
    for (var span : spans) {
      long length = Math.min(left, span.end - span.begin);
      if (length > 0) {
        latest.add(new Span(span.end - length, span.end));
        left -= length;
      }
    }
    return latest;
  }
}
