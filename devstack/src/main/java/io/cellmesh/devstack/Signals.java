package io.cellmesh.devstack;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.stream.Collectors;

/** Signals that Java cannot send itself. */
final class Signals {
  private Signals() {}

  /**
   * Sends a signal, such as {@code STOP}, to processes; those that are gone do not matter. The
   * shell's own {@code kill} does it, since a small system may have no other.
   */
  static void send(String signal, List<Long> pids) {
    var list = pids.stream().map(pid -> Long.toString(pid)).collect(Collectors.joining(" "));
    try {
      new ProcessBuilder("sh", "-c", "kill -" + signal + " " + list)
          .redirectErrorStream(true)
          .redirectOutput(Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new DevStackException("no signal could be sent", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DevStackException("interrupted while a signal was sent", e);
    }
  }
}
