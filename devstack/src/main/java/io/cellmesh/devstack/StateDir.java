package io.cellmesh.devstack;

import io.cellmesh.devstack.dist.Cache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The directory that holds all of a stack's files. */
final class StateDir {
  private StateDir() {}

  /**
   * An empty directory: a new temporary one, or the one wished for. What an earlier stack left in
   * there goes.
   *
   * @throws DevStackException if a stack is running there, or if it holds something else
   */
  static Path create(Optional<Path> wished) {
    try {
      if (wished.isEmpty()) {
        return Files.createTempDirectory("cellmesh-").toRealPath();
      }
      var dir = Files.createDirectories(wished.get().toAbsolutePath().normalize()).toRealPath();
      if (StackPlan.isIn(dir)) {
        clear(dir);
      } else if (!isEmpty(dir)) {
        throw new DevStackException(
            dir + " holds something that is not a stack: name another state directory");
      }
      return dir;
    } catch (IOException e) {
      throw new DevStackException("no state directory could be made", e);
    }
  }

  /** Takes the disks of its children away; their files stay in images. */
  static void unmount(Path dir) {
    try {
      Disk.unmountBelow(dir);
    } catch (IOException e) {
      throw new DevStackException("disks in " + dir + " could not be unmounted", e);
    }
  }

  static void delete(Path dir) {
    unmount(dir);
    try {
      Cache.delete(dir);
    } catch (IOException e) {
      throw new DevStackException(dir + " could not be deleted", e);
    }
  }

  private static void clear(Path dir) throws IOException {
    var household = new Household(dir, Optional.empty());
    for (var name : PidFiles.names(household)) {
      if (PidFiles.running(household, name).isPresent()) {
        throw new DevStackException(
            "a stack is running in %s (%s among others): stop it first".formatted(dir, name));
      }
    }
    unmount(dir);
    try (var files = Files.list(dir)) {
      for (var file : files.toList()) {
        Cache.delete(file);
      }
    }
  }

  private static boolean isEmpty(Path dir) throws IOException {
    try (var files = Files.list(dir)) {
      return files.findAny().isEmpty();
    }
  }
}
