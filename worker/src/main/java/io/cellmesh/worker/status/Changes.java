package io.cellmesh.worker.status;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Remembers since when things are as they are. What they were before the first look nobody knows.
 * Thread-safe.
 */
final class Changes {
  private final Map<String, Since> known = new HashMap<>();

  /**
   * Since when something is as it is.
   *
   * @param atLeast whether it was so at the first look already, and may have been for longer
   */
  record Since(Object state, Instant at, boolean atLeast) {}

  /** Notes how something is now. */
  synchronized Since note(String what, Object state, Instant now) {
    var before = known.get(what);
    if (before != null && before.state.equals(state)) {
      return before;
    }
    var since = new Since(state, now, before == null);
    known.put(what, since);
    return since;
  }

  /** Forgets everything else. */
  synchronized void keep(Collection<String> things) {
    known.keySet().retainAll(things);
  }
}
