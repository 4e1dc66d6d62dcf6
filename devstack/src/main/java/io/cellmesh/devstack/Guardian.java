package io.cellmesh.devstack;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * Ends the children when their launcher is gone, however it went.
 *
 * <p>A small {@code sh} reads their pids from its standard input. When the launcher exits, even by
 * SIGKILL, that input ends; the shell then asks the children to stop, waits a little and kills what
 * is left. {@link #keep} sends it away instead.
 */
final class Guardian implements AutoCloseable {
  /**
   * CONT comes along because a frozen process would not notice TERM. The wait is in tenths of a
   * second, except where {@code sleep} knows only whole ones.
   */
  private static final String SCRIPT =
      """
      trap '' HUP INT TERM
      pids=' '
      while read -r verb pid; do
        case "$verb" in
          add) pids="$pids$pid " ;;
          drop)
            case "$pids" in
              *" $pid "*) pids="${pids%% $pid *} ${pids#* $pid }" ;;
            esac ;;
          keep) exit 0 ;;
        esac
      done
      for p in $pids; do kill -TERM $p; kill -CONT $p; done 2>/dev/null
      i=0
      while [ $i -lt 50 ]; do
        alive=
        for p in $pids; do kill -0 $p 2>/dev/null && alive=yes; done
        [ -z "$alive" ] && exit 0
        sleep 0.1 2>/dev/null || sleep 1
        i=$((i + 1))
      done
      for p in $pids; do kill -KILL $p; done 2>/dev/null
      """;

  private final Process shell;
  private final Writer pids;

  private Guardian(Process shell) {
    this.shell = shell;
    this.pids = shell.outputWriter(StandardCharsets.US_ASCII);
  }

  static Guardian start() {
    try {
      return new Guardian(
          new ProcessBuilder("sh", "-c", SCRIPT, "cellmesh-guardian")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start());
    } catch (IOException e) {
      throw new DevStackException("sh could not be started to watch over the stack", e);
    }
  }

  /** From now on the process ends with the launcher. */
  void add(long pid) {
    tell("add " + pid);
  }

  /** The process is gone; its pid may soon be somebody else's. */
  void drop(long pid) {
    tell("drop " + pid);
  }

  /** Lets the children outlive the launcher. */
  void keep() {
    tell("keep 0");
    close();
  }

  long pid() {
    return shell.pid();
  }

  /** Ends the children that have not been dropped, as the launcher's end would. */
  @Override
  public void close() {
    try {
      pids.close();
    } catch (IOException e) {
      // The shell has gone first, so there is nothing left to tell it.
    }
  }

  private synchronized void tell(String line) {
    try {
      pids.write(line + "\n");
      pids.flush();
    } catch (IOException e) {
      if (line.startsWith("add ")) {
        throw new DevStackException("the process that watches over the stack has gone", e);
      }
    }
  }
}
