package io.cellmesh.devstack.dist;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A directory in the user's home for what is fetched or made once: {@code ~/.cache/cellmesh}, or
 * {@code CELLMESH_CACHE}.
 */
public final class Cache {
  private static final Map<Path, Object> LOCKS = new ConcurrentHashMap<>();

  private final Path dir;

  public Cache(Path dir) {
    this.dir = dir.toAbsolutePath().normalize();
  }

  /** The cache of this user. */
  public static Cache ofUser() {
    var override = System.getenv("CELLMESH_CACHE");
    if (override != null && !override.isBlank()) {
      return new Cache(Path.of(override));
    }
    var xdg = System.getenv("XDG_CACHE_HOME");
    var base =
        xdg == null || xdg.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(xdg);
    return new Cache(base.resolve("cellmesh"));
  }

  @Override
  public String toString() {
    return dir.toString();
  }

  /**
   * The directory of a name, made by the filler if it is not there yet. It appears whole or not at
   * all, and only one process at a time makes it; the others wait.
   */
  public Path directory(String name, Filler filler) throws IOException {
    var target = dir.resolve(name);
    if (Files.isDirectory(target)) {
      return target;
    }
    Files.createDirectories(target.getParent());
    var lockFile = target.resolveSibling(target.getFileName() + ".lock");
    // A file lock belongs to the JVM; among its threads the monitor decides.
    synchronized (LOCKS.computeIfAbsent(lockFile, path -> new Object())) {
      try (var channel =
              FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var lock = channel.lock()) {
        if (lock.isValid() && Files.isDirectory(target)) {
          return target;
        }
        var unfinished = target.resolveSibling(target.getFileName() + ".tmp");
        delete(unfinished);
        Files.createDirectories(unfinished);
        filler.fill(unfinished);
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        return target;
      }
    }
  }

  /** Deletes a file or a whole directory, if it is there. */
  public static void delete(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException e)
              throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Puts the content of a cached directory into an empty one. */
  @FunctionalInterface
  public interface Filler {
    void fill(Path emptyDirectory) throws IOException;
  }
}
