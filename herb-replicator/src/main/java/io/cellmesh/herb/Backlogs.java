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

  /**
   * How far a run of a link is.
   *
   * @param unread records of the peer's log
   * @param read such records, since the run began; 0 where all are cells of the peer
   * @param brought cells, counted from anywhere
   * @param rebuilt of these cells, counted from anywhere, those of a rebuild of the log
   */
  record Reading(long unread, long read, long brought, long rebuilt) {}

  /** Of one run, from its beginning to its end. Not thread-safe. */
  final class Backlog implements AutoCloseable {
    private final MeshWindow window;
    private final BacklogPace pace = new BacklogPace(share, windows);
    private final OwnPart own = new OwnPart(windows);

    /** Of each other backlog what the sink had passed, by partition, when it was looked at last. */
    private final Map<MeshWindow, Map<Integer, Long>> known = new IdentityHashMap<>();

    /** The reading before; null at first. */
    private Reading before;

    /** Whether what the link brings is mostly of a rebuild. */
    private boolean mostlyRebuilt;

    /** All others' cells that the sink had passed then. */
    private long seen;

    /** Of other backlogs' cells those that are not among these yet: they were asked for later. */
    private long ahead;

    /** Others' cells but for other backlogs', counted from anywhere. */
    private long fresh;

    private Backlog(MeshWindow window) {
      this.window = window;
    }

    /**
     * Looks at the link, about once a second.
     *
     * @param now as {@link System#nanoTime} tells it
     * @return the cells a second that it is to keep to from now on; empty: as many as come
     */
    OptionalDouble look(long now, Reading reading) {
      double part = own.look(reading.read(), reading.brought());
      if (part * reading.unread() > windows) {
        behind.add(window);
      } else {
        behind.remove(window);
      }
      var work = window.work();
      countFresh(work.others());
      noteRebuilt(reading);
      return pace.look(
          new BacklogPace.Seen(
              now,
              reading.unread(),
              part,
              reading.brought(),
              mostlyRebuilt,
              new MeshWindow.Work(work.waits(), fresh)));
    }

    private void noteRebuilt(Reading reading) {
      if (before != null && reading.brought() > before.brought()) {
        mostlyRebuilt =
            2 * (reading.rebuilt() - before.rebuilt()) > reading.brought() - before.brought();
      }
      before = reading;
    }

    private void countFresh(long others) {
      long backlogged = backlogged();
      long came = others - seen;
      seen = others;
      if (came < 0) {
        // It is counted from elsewhere: what came of whom since the last look is not known.
        return;
      }
      long theirs = Math.min(came, ahead + backlogged);
      ahead = Math.min(ahead + backlogged - theirs, backlogged);
      fresh += came - theirs;
    }

    /**
     * What the sink has passed of other backlogs since the last look, in the partitions in which
     * this window would have taken it for somebody's: another process may read the rest.
     */
    private long backlogged() {
      known.keySet().retainAll(behind);
      var here = window.sunk().keySet();
      long cells = 0;
      for (var other : behind) {
        if (other != window) {
          var sunk = other.sunk();
          var before = known.getOrDefault(other, sunk);
          known.put(other, sunk);
          cells +=
              here.stream()
                  .filter(before::containsKey)
                  .mapToLong(partition -> sunk.get(partition) - before.get(partition))
                  .sum();
        }
      }
      return cells;
    }

    @Override
    public void close() {
      behind.remove(window);
    }
  }
}
