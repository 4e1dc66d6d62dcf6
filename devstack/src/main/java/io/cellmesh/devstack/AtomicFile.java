package io.cellmesh.devstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/** Files that readers see whole, the old content or the new. */
final class AtomicFile {
  /** How the name of a file ends while it is being written. */
  static final String UNFINISHED = ".tmp";

  private AtomicFile() {}

  static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    // A name of its own, since another process may be writing the same file.
    var next = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + UNFINISHED);
    try {
      Files.writeString(next, text);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
  }
}
