package io.cellmesh.deployment;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The file that holds the shard map of a data centre. Readers see the old one or the new. */
public interface TopologyStore {

  Topology read() throws IOException;

  void write(Topology topology) throws IOException;

  /** The file's name, for messages. */
  Path file();

  /** Somebody's own; it is kept as {@code FILE.before}, since comments don't come along. */
  static TopologyStore ofFile(Path file) {
    return new TopologyStore() {
      @Override
      public Topology read() throws IOException {
        return TopologyYaml.parse(Files.readString(file));
      }

      @Override
      public void write(Topology topology) throws IOException {
        Files.copy(file, beside(".before"), StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(beside(".next"), TopologyYaml.write(topology));
        Files.move(
            beside(".next"),
            file,
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
      }

      @Override
      public Path file() {
        return file;
      }

      private Path beside(String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
      }
    };
  }
}
