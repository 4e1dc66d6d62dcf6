package io.cellmesh.devstack.dist;

import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The libraries that MySQL's Linux binaries expect from the system: libaio and libnuma. Where they
 * are missing, Debian's and Ubuntu's packages are fetched and unpacked into the cache, which needs
 * no root; nothing is installed.
 */
final class SystemLibraries {
  /** By library; the first package that the system knows is taken. */
  private static final Map<String, List<String>> PACKAGES =
      new TreeMap<>(
          Map.of(
              "libaio.so.1", List.of("libaio1", "libaio1t64"),
              "libnuma.so.1", List.of("libnuma1")));

  private final Cache cache;
  private final Progress progress;

  SystemLibraries(Cache cache, Progress progress) {
    this.cache = cache;
    this.progress = progress;
  }

  /**
   * What the program needs in its environment to find its libraries: nothing when the system has
   * them all.
   *
   * @throws DevStackException if some are missing and cannot be fetched; the message names them and
   *     the next step
   */
  Map<String, String> environment(Path program) {
    if (Command.onPath("ldd").isEmpty()) {
      return Map.of();
    }
    var missing = missing(Command.run(List.of("ldd", program.toString())).output());
    if (missing.isEmpty()) {
      return Map.of();
    }
    var paths = new ArrayList<String>();
    for (var library : missing) {
      paths.add(fetched(library).toString());
    }
    var inherited = System.getenv("LD_LIBRARY_PATH");
    if (inherited != null && !inherited.isBlank()) {
      paths.add(inherited);
    }
    return Map.of("LD_LIBRARY_PATH", String.join(":", paths));
  }

  /** The libraries that {@code ldd} does not find. */
  static List<String> missing(String ldd) {
    return ldd.lines()
        .filter(line -> line.contains("=> not found"))
        .map(line -> line.strip().split("\\s+", 2)[0])
        .distinct()
        .toList();
  }

  private Path fetched(String library) {
    var packages = PACKAGES.get(library);
    if (packages == null || !AptPackages.available()) {
      throw new DevStackException(
          "MySQL needs %s, which this system lacks: install it (%s)"
              .formatted(library, advice(library)));
    }
    try {
      var dir = cache.directory("lib-" + library, empty -> unpack(library, packages, empty));
      return holding(library, dir);
    } catch (IOException e) {
      throw new DevStackException(
          "MySQL needs %s, and fetching it failed (%s): install it (%s)"
              .formatted(library, e.getMessage(), advice(library)),
          e);
    }
  }

  private void unpack(String library, List<String> packages, Path dir) throws IOException {
    progress.step("fetching " + library);
    new AptPackages(dir).unpackFirst(packages);
    try (var files = Files.find(dir, 8, (path, a) -> isVariant(library, path))) {
      for (var file : files.toList()) {
        // Since its 64-bit time transition Debian calls libaio libaio.so.1t64.
        var link = file.resolveSibling(library);
        if (!Files.exists(link)) {
          Files.createSymbolicLink(link, file.getFileName());
        }
      }
    }
    holding(library, dir);
  }

  private static boolean isVariant(String library, Path path) {
    return path.getFileName().toString().equals(library + "t64");
  }

  private static Path holding(String library, Path dir) throws IOException {
    try (var files = Files.find(dir, 8, (path, a) -> path.endsWith(library))) {
      return files
          .findFirst()
          .map(Path::getParent)
          .orElseThrow(() -> new IOException("the package does not hold " + library));
    }
  }

  private static String advice(String library) {
    return library.startsWith("libaio")
        ? "apt install libaio1 or libaio1t64, dnf install libaio, apk has none"
        : library.startsWith("libnuma")
            ? "apt install libnuma1, dnf install numactl-libs"
            : "look for the package that holds it";
  }
}
