package io.cellmesh.devstack.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Fetches Debian packages and unpacks them into a directory, without root and without touching the
 * system's own state: where apt has no package lists, as in most container images, it reads its own
 * into a private directory.
 */
final class AptPackages {
  private final Path dir;

  /**
   * @param dir an empty directory for the packages' files
   */
  AptPackages(Path dir) {
    this.dir = dir;
  }

  static boolean available() {
    return Command.onPath("apt-get").isPresent() && Command.onPath("dpkg").isPresent();
  }

  /** Unpacks the first of the packages that can be had. */
  void unpackFirst(List<String> packages) throws IOException {
    var work = Files.createDirectories(dir.resolve("apt"));
    var said = new StringBuilder();
    for (var options : List.of(List.<String>of(), privateState(work))) {
      if (!options.isEmpty()) {
        said.append(apt(work, options, "update").lastLines(2)).append('\n');
      }
      for (var name : packages) {
        said.append(apt(work, options, "download", name).lastLines(1)).append('\n');
        var deb = downloaded(work);
        if (deb != null) {
          var unpacked = Command.run(List.of("dpkg", "-x", deb.toString(), dir.toString()));
          if (!unpacked.ok()) {
            throw new IOException("dpkg -x: " + unpacked.lastLines(2));
          }
          Cache.delete(work);
          return;
        }
      }
    }
    throw new IOException(
        "apt-get has none of " + packages + "; it said: " + said.toString().strip());
  }

  private static List<String> privateState(Path work) throws IOException {
    var state = work.resolve("state");
    Files.createDirectories(state.resolve("lists/partial"));
    Files.createDirectories(work.resolve("cache/archives/partial"));
    return List.of(
        "-o",
        "Dir::State=" + state,
        "-o",
        "Dir::State::status=/var/lib/dpkg/status",
        "-o",
        "Dir::Cache=" + work.resolve("cache"));
  }

  private static Command.Result apt(Path work, List<String> options, String... words) {
    var command = new ArrayList<String>(List.of("apt-get", "-q", "-y"));
    command.addAll(options);
    // apt would step down to its own user, who may not enter the cache.
    command.addAll(List.of("-o", "APT::Sandbox::User=" + System.getProperty("user.name")));
    command.addAll(List.of(words));
    return Command.run(work, Map.of("LC_ALL", "C"), command);
  }

  private static Path downloaded(Path work) throws IOException {
    try (var files = Files.newDirectoryStream(work, "*.deb")) {
      for (var file : files) {
        return file;
      }
    }
    return null;
  }
}
