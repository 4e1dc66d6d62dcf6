package io.cellmesh.devstack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the children of one stack share: the state directory and the guardian. A child's pid stands
 * in {@code pids/NAME} while it may be running, and its output in {@code logs/NAME.log}.
 *
 * @param guardian empty when children are meant to outlive this JVM
 */
record Household(Path stateDir, Optional<Guardian> guardian) {

  Path log(String name) {
    return stateDir.resolve("logs").resolve(name + ".log");
  }

  /** Where a child puts what it needs no longer than it runs; emptied before it starts. */
  Path temporary(String name) {
    return stateDir.resolve("tmp").resolve(name);
  }

  Path pidFile(String name) {
    return stateDir.resolve("pids").resolve(name);
  }

  void started(String name, long pid) {
    guardian.ifPresent(g -> g.add(pid));
    try {
      AtomicFile.write(pidFile(name), pid + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void ended(long pid) {
    guardian.ifPresent(g -> g.drop(pid));
  }
}
