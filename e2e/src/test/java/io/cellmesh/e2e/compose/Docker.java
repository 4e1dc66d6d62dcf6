package io.cellmesh.e2e.compose;

import io.cellmesh.e2e.Command;
import io.cellmesh.stack.StateDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Docker's own command line, in the checkout, with the images that this machine can have. */
public final class Docker {
  private static final String STAND_INS = "docker/base/images.env";

  /** Held by whoever must be alone with the engine. */
  private static final Path LOCK = Path.of("target", "docker.lock");

  private Docker() {}

  /** Tells why nothing can run here, in words; empty if it can. */
  public static Optional<String> missing() throws IOException, InterruptedException {
    for (var question : List.of(List.of("version"), List.of("compose", "version"))) {
      var answer = run("", question);
      if (answer.exit() != 0) {
        return Optional.of(
            "no Docker engine with compose answers, so nothing was run; as root on Debian `eval \"$(docker/engine start)\"` starts one: `docker %s` says %s"
                .formatted(String.join(" ", question), answer.err().strip()));
      }
    }
    if (!hasStandIns()) {
      var pulled = compose("", "pull", "-q", "--policy", "missing", "db1", "kafka");
      if (pulled.exit() != 0) {
        return Optional.of(
            "neither the public images nor stand-ins are to be had, so nothing was run; `docker/base/build` makes those: %s"
                .formatted(pulled.err().strip()));
      }
    }
    return Optional.empty();
  }

  /**
   * Waits until nobody else of this build uses the engine, whose volumes and images are for all.
   *
   * @return what lets the next one in when it is closed
   */
  public static Closeable alone() throws IOException {
    var file = FileChannel.open(LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    file.lock();
    return file;
  }

  /** Runs {@code docker compose}, with stand-ins for the public images where they were built. */
  public static Command compose(String input, String... args)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("compose"));
    if (hasStandIns()) {
      command.addAll(List.of("--env-file", STAND_INS));
    }
    command.addAll(List.of(args));
    return run(input, command);
  }

  /** Tells whether all stand-ins for the public images were built here. */
  public static boolean hasStandIns() throws IOException, InterruptedException {
    var question = new ArrayList<>(List.of("image", "inspect"));
    question.addAll(standIns().values());
    return run("", question).exit() == 0;
  }

  /** The variables that name the stand-ins. */
  public static Map<String, String> standIns() throws IOException {
    try (var lines = Files.lines(StateDirectory.home().resolve(STAND_INS))) {
      return lines
          .filter(line -> line.contains("=") && !line.startsWith("#"))
          .map(line -> line.split("=", 2))
          .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }
  }

  /** Runs {@code docker}; one that is not there has failed. */
  public static Command run(String input, List<String> args)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("docker"));
    command.addAll(args);
    var in = Files.writeString(Files.createTempFile("in", ""), input);
    var out = Files.createTempFile("out", "");
    var err = Files.createTempFile("err", "");
    try {
      var process =
          new ProcessBuilder(command)
              .directory(StateDirectory.home().toFile())
              .redirectInput(in.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      int exit = process.start().waitFor();
      return new Command(exit, Files.readString(out), Files.readString(err));
    } catch (IOException e) {
      return new Command(127, "", e.getMessage());
    } finally {
      for (var file : new Path[] {in, out, err}) {
        Files.delete(file);
      }
    }
  }
}
