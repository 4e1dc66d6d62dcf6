package io.cellmesh.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cli.Main;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The command, run in this process. */
final class Cellmesh {
  private Cellmesh() {}

  /** What it prints; it must succeed. */
  static String run(String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int exit = Main.run(console(out, err), args);
    assertThat(exit).as(err.toString(StandardCharsets.UTF_8)).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }

  /** What it says when it refuses to. */
  static String refusal(String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int exit = Main.run(console(out, err), args);
    assertThat(exit).as(out.toString(StandardCharsets.UTF_8)).isNotZero();
    return err.toString(StandardCharsets.UTF_8);
  }

  private static Console console(ByteArrayOutputStream out, ByteArrayOutputStream err) {
    return new Console(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        Terminal.NONE);
  }
}
