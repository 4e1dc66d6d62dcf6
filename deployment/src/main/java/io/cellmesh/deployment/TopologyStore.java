package io.cellmesh.deployment;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;

/** The file that holds the shard map of a data centre. Readers see the old one or the new. */
public interface TopologyStore {

  Topology read() throws IOException;

  void write(Topology topology) throws IOException;

  /**
   * Makes sure that it can be written, before anything is done that has to be written down there.
   *
   * @throws DeploymentException naming the file and what is in the way
   */
  default void requireWritable() {}

  /** The file's name, for messages. */
  Path file();

  /**
   * Somebody's own; it is kept as {@code FILE.before}, since comments don't come along. The new one
   * has the rights of the old: applications that read it may run as others than who writes it. Of a
   * link the file that it leads to is replaced, which others may read by another name.
   */
  static TopologyStore ofFile(Path file) {
    return new TopologyStore() {
      @Override
      public Topology read() throws IOException {
        return TopologyYaml.parse(Files.readString(file));
      }

      @Override
      public void write(Topology topology) {
        try {
          var real = file.toRealPath();
          var next = next(real);
          try {
            Files.copy(real, next);
            replace(beside(real, ".before"), next);
            Files.writeString(next, TopologyYaml.write(topology));
            keepRights(next);
            replace(real, next);
          } finally {
            Files.deleteIfExists(next);
          }
        } catch (IOException e) {
          throw unwritable(e);
        }
      }

      private void replace(Path old, Path next) throws IOException {
        Files.move(next, old, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      }

      @Override
      public void requireWritable() {
        try {
          var real = file.toRealPath();
          var next = next(real);
          try {
            Files.copy(real, next);
          } finally {
            Files.deleteIfExists(next);
          }
        } catch (IOException e) {
          throw unwritable(e);
        }
      }

      private void keepRights(Path next) throws IOException {
        try {
          Files.setPosixFilePermissions(next, Files.getPosixFilePermissions(file));
          for (var whose : List.of("posix:group", "posix:owner")) {
            Files.setAttribute(next, whose, Files.getAttribute(file, whose));
          }
        } catch (FileSystemException e) {
          // Root alone may give a file away, so it belongs to who writes it.
        }
      }

      private DeploymentException unwritable(IOException e) {
        return new DeploymentException(
            "%s can't be written: %s. Let whoever runs this write it and its directory, and run the same command again"
                .formatted(file, DeploymentYaml.reason(e)),
            e);
      }

      @Override
      public Path file() {
        return file;
      }

      /** A name of its own, since another command may be writing as well. */
      private Path next(Path real) {
        return beside(real, ".%s.next".formatted(UUID.randomUUID()));
      }

      private Path beside(Path real, String suffix) {
        return real.resolveSibling(real.getFileName() + suffix);
      }
    };
  }
}
