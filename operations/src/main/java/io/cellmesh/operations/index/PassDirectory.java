package io.cellmesh.operations.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.storage.index.IndexVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;

/**
 * The directory that index-streams watches: one subdirectory a pass, with the definitions of the
 * indexes that are kept together.
 */
public final class PassDirectory {
  /** Of the indexes that an instance is created with. */
  public static final String FIRST = "p1";

  private static final String PREFIX = "p";
  private static final String BACKFILL = "backfill";

  private final Path directory;

  public PassDirectory(Path directory) {
    this.directory = directory;
  }

  /** A name that no version of the catalogue has yet. */
  static String next(Collection<IndexVersion> versions) {
    int highest = 0;
    for (var version : versions) {
      if (version.pass().matches(PREFIX + "[0-9]{1,9}")) {
        highest = Math.max(highest, Integer.parseInt(version.pass().substring(PREFIX.length())));
      }
    }
    return PREFIX + (highest + 1);
  }

  boolean has(String pass) {
    return Files.isDirectory(directory.resolve(pass));
  }

  /** Whether its rows come from the tables, too, and not from the log alone. */
  boolean isBackfilled(String pass) {
    return Files.exists(directory.resolve(pass).resolve(BACKFILL));
  }

  /** Shows a pass to index-streams, all of it at once. What is there is left alone. */
  void publish(String pass, List<IndexDefinition> definitions, boolean backfill)
      throws IOException {
    if (has(pass)) {
      return;
    }
    var unfinished = directory.resolve("." + pass);
    Files.createDirectories(unfinished);
    for (var definition : definitions) {
      Files.writeString(unfinished.resolve(definition.label() + ".yaml"), definition.toYaml());
    }
    if (backfill) {
      Files.writeString(unfinished.resolve(BACKFILL), "");
    }
    Files.move(unfinished, directory.resolve(pass), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Takes a pass away: index-streams stops keeping its indexes. */
  void remove(String pass) throws IOException {
    var gone = directory.resolve("." + pass);
    if (has(pass)) {
      Files.move(directory.resolve(pass), gone, StandardCopyOption.ATOMIC_MOVE);
    }
    if (Files.isDirectory(gone)) {
      try (var files = Files.list(gone)) {
        for (var file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(gone);
    }
  }
}
