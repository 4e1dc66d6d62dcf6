package io.cellmesh.devstack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/**
 * Finds a stack's processes again by the pids that it left in files. A pid may have become somebody
 * else's meanwhile, so the command line must name the state directory, as that of every child does.
 */
final class PidFiles {
  private PidFiles() {}

  /** The names of the children that ever ran. */
  static List<String> names(Household household) {
    var dir = household.pidFile("any").getParent();
    if (!Files.isDirectory(dir)) {
      return List.of();
    }
    try (var files = Files.list(dir)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(AtomicFile.UNFINISHED))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The process of a child, if it is still running. */
  static Optional<ProcessHandle> running(Household household, String name) {
    var file = household.pidFile(name);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try {
      return ProcessHandle.of(Long.parseLong(Files.readString(file).strip()))
          .filter(ProcessHandle::isAlive)
          .filter(handle -> belongs(handle, household));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NumberFormatException e) {
      throw new DevStackException(file + " does not hold a process id", e);
    }
  }

  private static boolean belongs(ProcessHandle handle, Household household) {
    return handle
        .info()
        .commandLine()
        .filter(line -> line.contains(household.stateDir().toString()))
        .isPresent();
  }
}
