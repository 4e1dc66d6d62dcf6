package io.cellmesh.bench;

import io.cellmesh.devstack.DevStackException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs diagnostic commands in another JVM, by {@code jcmd}. */
final class Jcmd {
  private final long pid;

  Jcmd(long pid) {
    this.pid = pid;
  }

  /**
   * Runs a command and returns what it printed.
   *
   * @throws DevStackException if it fails
   */
  String run(String... words) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    command.add(Long.toString(pid));
    command.addAll(List.of(words));
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(Redirect.PIPE)
              .start();
      process.getOutputStream().close();
      var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new DevStackException("jcmd " + String.join(" ", words) + ": " + text.strip());
      }
      return text;
    } catch (IOException e) {
      throw new DevStackException("jcmd could not be run; is this a JDK?", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DevStackException("interrupted while jcmd ran", e);
    }
  }
}
