package io.cellmesh.devstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Files that hold secrets, so that nobody but their owner reads them. */
final class OwnersFile {
  private static final SecureRandom RANDOM = new SecureRandom();

  private OwnersFile() {}

  /** Makes an empty file. */
  static void create(Path file) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  /** Writes a new file, or another text into one of this kind. */
  static void write(Path file, String text) throws IOException {
    if (!Files.exists(file)) {
      create(file);
    }
    Files.writeString(file, text);
  }

  /** Makes a directory that holds such files. */
  static void directory(Path dir) throws IOException {
    Files.createDirectories(
        dir, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** Makes up a password. */
  static String secret() {
    var bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
