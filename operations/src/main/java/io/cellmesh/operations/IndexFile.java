package io.cellmesh.operations;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexDefinitionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An index definition and the YAML that says it.
 *
 * @param yaml goes as it is to index-streams
 */
public record IndexFile(IndexDefinition definition, String yaml) {

  public static IndexFile of(String yaml) {
    return new IndexFile(IndexDefinition.parse(yaml), yaml);
  }

  /**
   * @throws IndexDefinitionException naming the file, the line and the rule
   */
  public static IndexFile read(Path file) throws IOException {
    try {
      return of(Files.readString(file));
    } catch (IndexDefinitionException e) {
      throw new IndexDefinitionException(file + ": " + e.getMessage());
    }
  }

  /**
   * The definitions in a directory and in its subdirectories, which are the passes of
   * index-streams, by the files' paths; none if there is no directory. A subdirectory whose name
   * begins with a point is still being written.
   */
  public static List<IndexFile> readAll(Path directory) throws IOException {
    var indexes = new ArrayList<IndexFile>();
    if (Files.isDirectory(directory)) {
      try (var listed = Files.find(directory, 2, (file, is) -> is.isRegularFile())) {
        for (var file : listed.filter(f -> isDefinition(directory, f)).sorted().toList()) {
          indexes.add(read(file));
        }
      }
    }
    return indexes;
  }

  private static boolean isDefinition(Path directory, Path file) {
    return file.toString().endsWith(".yaml")
        && !directory.relativize(file).toString().startsWith(".");
  }

  public String name() {
    return definition.name();
  }

  /** Of the index and its version. */
  public String label() {
    return definition.label();
  }
}
