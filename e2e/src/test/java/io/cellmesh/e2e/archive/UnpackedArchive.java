package io.cellmesh.e2e.archive;

import io.cellmesh.e2e.Command;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The archive, unpacked where its user may not write.
 *
 * @param home the directory that is in it
 */
public record UnpackedArchive(Path home) {
  /** Who may do nothing, by number. */
  private static final String NOBODY = "65534";

  private static final List<String> TOOLS =
      List.of("dirname", "readlink", "sed", "head", "cut", "stty");

  /** Unpacks it into a directory that every user may read. */
  public static UnpackedArchive into(Path dir) throws IOException, InterruptedException {
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
    var unpacked = run(List.of("tar", "-xzf", file().toString(), "-C", dir.toString()), Map.of());
    if (unpacked.exit() != 0) {
      throw new IOException(unpacked.err());
    }
    var name = file().getFileName().toString();
    return new UnpackedArchive(dir.resolve(name.substring(0, name.length() - ".tar.gz".length())));
  }

  /** What the build made. */
  public static Path file() throws IOException {
    var target = StateDirectory.home().resolve("dist/target");
    try (var archives = Files.newDirectoryStream(target, "cellmesh-*.tar.gz")) {
      for (var archive : archives) {
        return archive;
      }
    }
    throw new IOException(target + " has no archive: build dist");
  }

  public Path program(String name) {
    return home.resolve("bin").resolve(name);
  }

  /**
   * Runs a program as another user where this one may, with a few tools on its PATH and none of
   * Java's.
   *
   * @param java its JAVA_HOME
   */
  Command run(Path java, Path program, String... args) throws IOException, InterruptedException {
    var tools = tools();
    var command = new ArrayList<String>();
    if (Files.getOwner(home).getName().equals("root")) {
      command.addAll(List.of("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"));
    }
    command.add(program.toString());
    command.addAll(List.of(args));
    return run(
        command,
        Map.of("PATH", tools.toString(), "JAVA_HOME", java.toString(), "HOME", "/nonexistent"));
  }

  private Path tools() throws IOException {
    var dir = home.resolveSibling("tools");
    if (!Files.exists(dir)) {
      Files.createDirectory(dir);
      for (var tool : TOOLS) {
        var inBin = Path.of("/bin", tool);
        var there = Files.exists(inBin) ? inBin : Path.of("/usr/bin", tool);
        // No link: JUnit warns of those that lead out of its directory.
        var script = dir.resolve(tool);
        Files.writeString(script, "#!/bin/sh\nexec %s \"$@\"\n".formatted(there));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
    return dir;
  }

  /** With these variables and no others, unless there are none. */
  private static Command run(List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    var out = Files.createTempFile("out", "");
    var err = Files.createTempFile("err", "");
    try {
      var builder = new ProcessBuilder(command).redirectOutput(out.toFile());
      builder.redirectError(err.toFile()).directory(Path.of("/").toFile());
      if (!environment.isEmpty()) {
        builder.environment().clear();
        builder.environment().putAll(environment);
      }
      int exit = builder.start().waitFor();
      return new Command(exit, Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }
}
