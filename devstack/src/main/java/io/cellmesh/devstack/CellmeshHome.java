package io.cellmesh.devstack;

import io.cellmesh.devstack.dist.Cache;
import io.cellmesh.devstack.dist.KafkaArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where Cellmesh is: a source checkout that was built, or an unpacked archive. */
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
      if (isCheckout(dir) && Files.isDirectory(dir.resolve("devstack"))) {
        return dir;
      }
    }
    throw new DevStackException("not in a checkout of Cellmesh: set -D" + PROPERTY);
  }

  /**
   * A directory that the build leaves and the archive has no place for.
   *
   * @throws DevStackException if it is not there; the message says what to do
   */
  public static Path built(String path) {
    var dir = dir().resolve(path);
    if (!Files.isDirectory(dir)) {
      throw new DevStackException(
          isCheckout(dir())
              ? dir + " is missing: build first, with ./mvnw -q -DskipTests package"
              : "%s is only in a checkout of Cellmesh, not in the archive at %s: run this command there"
                  .formatted(path, dir()));
    }
    return dir;
  }

  /** Our connectors, unpacked, for a worker's plugin.path. */
  public static List<Path> plugins(Path home) {
    return isCheckout(home)
        ? List.of(
            home.resolve("connect-sink/target/plugin"),
            home.resolve("connect-source/target/plugin"))
        : List.of(home.resolve("plugins"));
  }

  /**
   * The jar of an application, whose manifest names the others that it needs.
   *
   * @param module such as index-streams
   */
  public static Path application(Path home, String module) {
    var dir = isCheckout(home) ? home.resolve(module).resolve("target/app") : home.resolve("lib");
    try (var jars = Files.newDirectoryStream(dir, "cellmesh-" + module + "-[0-9]*.jar")) {
      for (var jar : jars) {
        return jar;
      }
    } catch (IOException e) {
      throw new DevStackException(dir + " can't be read", e);
    }
    throw new DevStackException("%s has no cellmesh-%s".formatted(dir, module));
  }

  /** The jars of brokers and workers: the build's own, or fetched into the cache on first use. */
  public static Path kafka() {
    return kafka(Progress.silent());
  }

  static Path kafka(Progress progress) {
    if (isCheckout(dir())) {
      return dir().resolve("devstack/target/kafka");
    }
    try {
      return new KafkaArchive(Cache.ofUser(), progress).unpacked();
    } catch (IOException e) {
      throw new DevStackException(
          "Kafka could not be fetched (%s); its jars come from Maven Central once, into %s"
              .formatted(e.getMessage(), Cache.ofUser()),
          e);
    }
  }

  /** The version of brokers and workers, which need not be that of this JVM's clients. */
  public static String kafkaVersion() {
    return kafkaVersion(kafka());
  }

  static String kafkaVersion(Path jars) {
    try (var found = Files.newDirectoryStream(jars, "kafka-server-[0-9]*.jar")) {
      for (var jar : found) {
        return jar.getFileName().toString().replaceAll("^kafka-server-|\\.jar$", "");
      }
    } catch (IOException e) {
      throw new DevStackException(jars + " can't be read", e);
    }
    throw new DevStackException(jars + " has no kafka-server");
  }

  /** What this user keeps between two commands: in the checkout, or in the user's own home. */
  public static Path state() {
    if (isCheckout(dir())) {
      return dir().resolve(".cellmesh");
    }
    var xdg = System.getenv("XDG_STATE_HOME");
    var base =
        xdg == null || xdg.isBlank()
            ? Path.of(System.getProperty("user.home"), ".local", "state")
            : Path.of(xdg);
    return base.resolve("cellmesh");
  }

  /**
   * The class path of a JVM.
   *
   * @param jars a directory of jars, or one that names the others
   */
  static String classPath(Path jars) {
    if (Files.isRegularFile(jars)) {
      return jars.toString();
    }
    if (!Files.isDirectory(jars)) {
      throw new DevStackException(
          jars + " is missing: build first, with ./mvnw -q -DskipTests package");
    }
    return jars + "/*";
  }

  /** Whether jars are what a build of the checkout has left. */
  static boolean isBuilt(Path jars) {
    for (var dir = jars.toAbsolutePath(); dir != null; dir = dir.getParent()) {
      if (dir.endsWith("target")) {
        return true;
      }
    }
    return false;
  }

  /** As a person calls the command line: {@code ./cellmesh} in a checkout, else by the path. */
  public static String command() {
    return isCheckout(dir()) ? "./cellmesh" : "cellmesh";
  }

  private static boolean isCheckout(Path home) {
    return Files.exists(home.resolve("mvnw"));
  }
}
