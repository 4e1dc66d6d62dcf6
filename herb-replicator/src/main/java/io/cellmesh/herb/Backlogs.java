package io.cellmesh.herb;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The backlogs of an instance's links. Each keeps to its share for the sake of those whose cells
 * come as they are written, and not for another backlog's: two that did would leave a sink that
 * nobody else asks anything of half idle, until the last of them is brought. Between them windows
 * are fair. Thread-safe.
 */
final class Backlogs {
  private final double share;
  private final long windows;

  /** Of those that have one now. */
  private final Set<MeshWindow> behind = ConcurrentHashMap.newKeySet();

  /**
   * @param share of what the sink passes that each keeps to
   * @param windows cells in all windows of a link
   */
  Backlogs(double share, long windows) {
    this.share = share;
    this.windows = windows;
  }

  /** That of a run of a link, which has such windows. */
  Backlog of(MeshWindow window) {
    return new Backlog(window);
  }

  /** Of one run, from its beginning to its end. Not thread-safe. */
  final class Backlog implements AutoCloseable {
    private final MeshWindow window;
    private final BacklogPace pace = new BacklogPace(share, windows);

    /** Of each other backlog, the cells that the sink had passed when it was looked at last. */
    private final Map<MeshWindow, Long> known = new IdentityHashMap<>();

    /** The cells of other backlogs that the sink has passed while this was looked at. */
    private long backlogged;

    /**
     * The most that was left of others' cells without these: what the sink passes between two
     * questions for it is in the second alone, and would come back as somebody's the next time.
     */
    private long fresh;

    private Backlog(MeshWindow window) {
      this.window = window;
    }

    /**
     * Looks at the link, about once a second.
     *
     * @param now as {@link System#nanoTime} tells it
     * @param unread records of the peer's log
     * @param brought cells, since the link began
     * @return the cells a second that it is to keep to from now on; empty: as many as come
     */
    OptionalDouble look(long now, long unread, long brought) {
      if (unread > windows) {
        behind.add(window);
      } else {
        behind.remove(window);
      }
      var work = window.work();
      countBacklogged();
      fresh = Math.max(fresh, work.others() - backlogged);
      return pace.look(
          new BacklogPace.Seen(now, unread, brought, new MeshWindow.Work(work.waits(), fresh)));
    }

    private void countBacklogged() {
      known.keySet().retainAll(behind);
      for (var other : behind) {
        if (other != window) {
          long sunk = other.sunk();
          backlogged += sunk - known.getOrDefault(other, sunk);
          known.put(other, sunk);
        }
      }
    }

    @Override
    public void close() {
      behind.remove(window);
    }
  }
}
