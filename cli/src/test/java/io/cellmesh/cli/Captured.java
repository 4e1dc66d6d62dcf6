package io.cellmesh.cli;

import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A command that was run, with its exit code and what it printed. */
public record Captured(int exitCode, String out, String err) {

  /** A console that tells nobody. */
  public static Console silent() {
    var nowhere = new PrintStream(OutputStream.nullOutputStream());
    return new Console(nowhere, nowhere, Terminal.NONE);
  }

  /** Runs {@code cellmesh} as {@code main} would, without a terminal. */
  public static Captured run(String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var console =
        new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Terminal.NONE);
    int exitCode = Main.run(console, args);
    return new Captured(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
