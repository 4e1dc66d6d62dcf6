package io.cellmesh.cli.terminal;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * A sequence of steps that take their time: each leaves one line with how long it took. On a
 * terminal the line of the step that runs is redrawn.
 */
public final class Steps {
  private static final long TICK_MILLIS = 120;
  private static final String SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

  private final PrintStream out;
  private final Terminal terminal;

  Steps(PrintStream out, Terminal terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** The step that runs; safe for any number of threads. */
  public static final class Step {
    private volatile String detail = "";

    /** What it is just at; replaces what was said before. */
    public void detail(String text) {
      detail = text;
    }
  }

  /** Work that may say how far it is. */
  @FunctionalInterface
  public interface Work<T> {
    T run(Step step) throws Exception;
  }

  /** Runs a step and returns what it made; a failure passes through, its line marked. */
  public <T> T run(String label, Work<T> work) throws Exception {
    var step = new Step();
    long start = System.nanoTime();
    var spinner = terminal.err() ? spin(label, step, start) : null;
    boolean done = false;
    try {
      var result = work.run(step);
      done = true;
      return result;
    } finally {
      if (spinner != null) {
        spinner.interrupt();
        spinner.join();
      }
      finish(label, done, Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private void finish(String label, boolean done, Duration took) {
    var mark = done ? style(Style.GREEN, "✓") : style(Style.RED, "✗");
    var time = String.format(Locale.ROOT, "%5.1f s", took.toMillis() / 1e3);
    out.println(
        (terminal.err() ? "\r\u001b[K" : "")
            + " "
            + mark
            + " "
            + style(Style.DIM, time)
            + "  "
            + label);
  }

  private Thread spin(String label, Step step, long start) {
    var thread =
        new Thread(
            () -> {
              int frame = 0;
              while (!Thread.currentThread().isInterrupted()) {
                draw(label, step, start, SPINNER.charAt(frame++ % SPINNER.length()));
                try {
                  Thread.sleep(TICK_MILLIS);
                } catch (InterruptedException e) {
                  return;
                }
              }
            },
            "spinner");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void draw(String label, Step step, long start, char spinner) {
    var time = String.format(Locale.ROOT, "%5.1f s", (System.nanoTime() - start) / 1e9);
    var detail = step.detail.isEmpty() ? "" : ": " + step.detail;
    var text = " " + spinner + " " + time + "  " + label + detail;
    int room = terminal.columns() - 1;
    out.print("\r\u001b[K" + (text.length() > room ? text.substring(0, room - 1) + "…" : text));
    out.flush();
  }

  private String style(Style style, String text) {
    return terminal.err() && terminal.colour() ? style.on(text) : text;
  }
}
