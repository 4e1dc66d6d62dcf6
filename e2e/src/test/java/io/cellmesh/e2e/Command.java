package io.cellmesh.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cli.Main;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a command printed and how it ended.
 *
 * @param out standard output
 * @param err standard error
 */
public record Command(int exit, String out, String err) {

  /** Runs a command as {@code ./cellmesh} would, its output going to no terminal. */
  public static Command run(String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var console =
        new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Terminal.NONE);
    int exit = Main.run(console, args);
    return new Command(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /**
   * Runs a command in a process of its own, as a person does.
   *
   * @param environment added to that of this JVM
   */
  public static Command process(Map<String, String> environment, List<String> args)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(StateDirectory.home().resolve("cellmesh").toString()));
    command.addAll(args);
    var out = Files.createTempFile("out", "");
    var err = Files.createTempFile("err", "");
    try {
      var builder = new ProcessBuilder(command).redirectOutput(out.toFile());
      builder.redirectError(err.toFile());
      builder.environment().put("CELLMESH_BUILD", "never");
      builder.environment().putAll(environment);
      int exit = builder.start().waitFor();
      return new Command(exit, Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /**
   * Loads trips, and requires that it ends well.
   *
   * @param where which deployment, which data centre, and more options if need be
   * @return how many cells they are
   */
  public static long load(int seed, int trips, String... where) {
    var args = new ArrayList<>(List.of("load", "--json"));
    args.addAll(List.of("--seed", Integer.toString(seed), "--trips", Integer.toString(trips)));
    args.addAll(List.of(where));
    var loaded = run(args.toArray(String[]::new)).succeeded();
    try {
      return new ObjectMapper().readTree(loaded.out()).required("cells").asLong();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(loaded.out(), e);
    }
  }

  /** Requires that it ended well; the same. */
  public Command succeeded() {
    assertThat(exit).as(out + err).isZero();
    return this;
  }

  /** A console that tells nobody. */
  public static Console silent() {
    var nowhere = new PrintStream(OutputStream.nullOutputStream());
    return new Console(nowhere, nowhere, Terminal.NONE);
  }

  /** Runs a command against the stack in a state directory. */
  public static Command on(Path stateDir, String... args) {
    var all = new ArrayList<>(List.of(args));
    all.add("--state");
    all.add(stateDir.toString());
    return run(all.toArray(String[]::new));
  }
}
