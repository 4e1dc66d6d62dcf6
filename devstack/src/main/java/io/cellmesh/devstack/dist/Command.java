package io.cellmesh.devstack.dist;

import io.cellmesh.devstack.DevStackException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Short-lived helpers such as {@code ldd}. */
final class Command {
  private Command() {}

  /** Runs it to its end, in a directory and with some more environment. */
  static Result run(Path dir, Map<String, String> environment, List<String> command) {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    if (dir != null) {
      builder.directory(dir.toFile());
    }
    try {
      var process = builder.start();
      process.getOutputStream().close();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Result(process.waitFor(), output);
    } catch (IOException e) {
      throw new DevStackException(command.get(0) + " could not be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DevStackException("interrupted while " + command.get(0) + " ran", e);
    }
  }

  static Result run(List<String> command) {
    return run(null, Map.of(), command);
  }

  /** The program of a name on PATH. */
  static Optional<Path> onPath(String program) {
    var path = System.getenv("PATH");
    return Stream.of((path == null ? "" : path).split(":"))
        .filter(dir -> !dir.isBlank())
        .map(dir -> Path.of(dir, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Standard output and error together. */
  record Result(int exit, String output) {
    boolean ok() {
      return exit == 0;
    }

    String lastLines(int count) {
      var lines = output.lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - count), lines.size()));
    }
  }
}
