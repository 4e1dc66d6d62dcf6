package io.cellmesh.terminal;

import io.cellmesh.operations.OperationListener;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A sequence of steps that take their time: each leaves one line with how long it took. On a
 * terminal the line of the step that runs is redrawn.
 */
public final class Steps implements OperationListener {
  private static final long REDRAW_MILLIS = 120;
  private static final long LINE_MILLIS = 5_000;
  private static final String SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

  private final PrintStream out;
  private final Terminal terminal;

  Steps(PrintStream out, Terminal terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  private static final class Line implements Step {
    private static final int BAR = 24;

    private final long start = System.nanoTime();
    private volatile String detail = "";
    private volatile String result;

    @Override
    public void detail(String text) {
      detail = text;
    }

    @Override
    public void progress(long done, long total) {
      double seconds = Math.max(0.001, (System.nanoTime() - start) / 1e9);
      int filled = (int) Math.min(BAR, BAR * done / Math.max(1, total));
      detail =
          String.format(
              Locale.ROOT,
              "%s%s %,d of %,d, %,.0f/s%s",
              "█".repeat(filled),
              "░".repeat(BAR - filled),
              done,
              total,
              done / seconds,
              Remaining.text(total - done, done / seconds));
    }

    @Override
    public void result(String text) {
      result = text;
    }
  }

  /** Runs a step; a failure passes through, its line marked. */
  @Override
  public <T> T call(String label, Work<T> work) throws Exception {
    var step = new Line();
    var ticker = tick(label, step);
    boolean done = false;
    try {
      var result = work.run(step);
      done = true;
      return result;
    } finally {
      // Ended for good before the line below is written, so that none is drawn over it.
      ticker.shutdown();
      ticker.awaitTermination(1, TimeUnit.MINUTES);
      finish(done && step.result != null ? step.result : label, done, step.start);
    }
  }

  private void finish(String label, boolean done, long start) {
    var mark = done ? style(Style.GREEN, "✓") : style(Style.RED, "✗");
    var time = style(Style.DIM, time(start));
    out.println((terminal.err() ? "\r\u001b[K" : "") + " " + mark + " " + time + "  " + label);
  }

  /** Tells how far the step is: on a terminal at once and often, else once in a while. */
  private ScheduledExecutorService tick(String label, Line step) {
    var ticker = Executors.newSingleThreadScheduledExecutor(Steps::daemon);
    if (terminal.err()) {
      var frames = new AtomicInteger();
      ticker.scheduleWithFixedDelay(
          () -> draw(label, step, frames.getAndIncrement()),
          0,
          REDRAW_MILLIS,
          TimeUnit.MILLISECONDS);
    } else {
      ticker.scheduleWithFixedDelay(
          () -> out.println("   " + time(step.start) + "  " + text(label, step)),
          LINE_MILLIS,
          LINE_MILLIS,
          TimeUnit.MILLISECONDS);
    }
    return ticker;
  }

  private static Thread daemon(Runnable work) {
    var thread = new Thread(work, "progress");
    thread.setDaemon(true);
    return thread;
  }

  private void draw(String label, Line step, int frame) {
    char spinner = SPINNER.charAt(frame % SPINNER.length());
    var text = " " + spinner + " " + time(step.start) + "  " + text(label, step);
    int room = terminal.columns() - 1;
    out.print("\r\u001b[K" + (text.length() > room ? text.substring(0, room - 1) + "…" : text));
    out.flush();
  }

  private static String text(String label, Line step) {
    return step.detail.isEmpty() ? label : label + ": " + step.detail;
  }

  private static String time(long start) {
    return String.format(Locale.ROOT, "%5.1f s", (System.nanoTime() - start) / 1e9);
  }

  private String style(Style style, String text) {
    return terminal.err() && terminal.colour() ? style.on(text) : text;
  }
}
