package io.cellmesh.devstack;

import java.nio.file.Files;
import java.nio.file.Path;

/** The source checkout that holds the built parts. */
public final class CellmeshHome {
  private static final String PROPERTY = "cellmesh.home";

  private CellmeshHome() {}

  /** What {@code -Dcellmesh.home} says, else the checkout that the working directory lies in. */
  public static Path dir() {
    var set = System.getProperty(PROPERTY);
    if (set != null && !set.isBlank()) {
      return Path.of(set).toAbsolutePath().normalize();
    }
    for (var dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      if (Files.exists(dir.resolve("mvnw")) && Files.isDirectory(dir.resolve("devstack"))) {
        return dir;
      }
    }
    throw new DevStackException("not in a checkout of Cellmesh: set -D" + PROPERTY);
  }

  /** A directory of jars that the build assembles, as a class path. */
  static String classPath(Path jars) {
    if (!Files.isDirectory(jars)) {
      throw new DevStackException(
          jars + " is missing: build first, with ./mvnw -q -DskipTests package");
    }
    return jars + "/*";
  }
}
