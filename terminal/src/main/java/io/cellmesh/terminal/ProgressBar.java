package io.cellmesh.terminal;

import java.io.PrintStream;
import java.util.Locale;

/** Progress of one task. Safe for any number of threads. */
public final class ProgressBar implements AutoCloseable {
  private static final long REDRAW_NANOS = 100_000_000L;
  private static final long LINE_NANOS = 5_000_000_000L;

  private final PrintStream out;
  private final Terminal terminal;
  private final String label;
  private final long total;
  private final long start = System.nanoTime();
  private final boolean drawn;
  private long done;
  private long before;
  private long shownAt;
  private boolean closed;

  ProgressBar(PrintStream out, Terminal terminal, String label, long total) {
    this.out = out;
    this.terminal = terminal;
    this.label = label;
    this.total = total;
    this.drawn = terminal.err();
    this.shownAt = drawn ? start - REDRAW_NANOS : start;
  }

  /** Adds to what is done. */
  public synchronized void advance(long count) {
    set(done + count);
  }

  /** Adds to what was done before it began, which counts for no rate. */
  public synchronized void found(long count) {
    before += count;
    set(done + count);
  }

  /** Sets what is done. */
  public synchronized void set(long value) {
    done = value;
    long now = System.nanoTime();
    if (!closed && now - shownAt >= (drawn ? REDRAW_NANOS : LINE_NANOS)) {
      shownAt = now;
      show(now);
    }
  }

  public synchronized long done() {
    return done;
  }

  /** Takes the bar off the terminal. */
  @Override
  public synchronized void close() {
    if (!closed && drawn) {
      out.print("\r\u001b[K");
      out.flush();
    }
    closed = true;
  }

  private void show(long now) {
    double seconds = Math.max(0.001, (now - start) / 1e9);
    var count =
        total > 0
            ? String.format(Locale.ROOT, "%,d of %,d", done, total)
            : String.format(Locale.ROOT, "%,d", done);
    double perSecond = (done - before) / seconds;
    var rate =
        String.format(Locale.ROOT, "%,.0f/s", perSecond) + Remaining.text(total - done, perSecond);
    if (drawn) {
      out.print("\r\u001b[K" + bar(count, rate));
      out.flush();
    } else {
      out.println(label + ": " + count + ", " + rate);
    }
  }

  private String bar(String count, String rate) {
    var text = "  " + label + " ";
    var tail = " " + count + "  " + rate;
    int room = Math.min(40, terminal.columns() - text.length() - tail.length() - 1);
    if (total <= 0 || room < 10) {
      return text + tail;
    }
    int filled = (int) Math.min(room, room * done / total);
    return text + "█".repeat(filled) + "░".repeat(room - filled) + tail;
  }
}
