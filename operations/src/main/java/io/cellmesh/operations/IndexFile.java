package io.cellmesh.operations;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexDefinitionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An index definition that stands in a file. */
public record IndexFile(IndexDefinition definition) {

  public static IndexFile of(String yaml) {
    return new IndexFile(IndexDefinition.parse(yaml));
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

  /** The definitions in a directory, by the files' names; none if there is no directory. */
  public static List<IndexFile> readAll(Path directory) throws IOException {
    var indexes = new ArrayList<IndexFile>();
    if (Files.isDirectory(directory)) {
      try (var listed = Files.list(directory)) {
        for (var file : listed.filter(f -> f.toString().endsWith(".yaml")).sorted().toList()) {
          indexes.add(read(file));
        }
      }
    }
    return indexes;
  }

  /** The definitions in files, in their order. */
  public static List<IndexFile> readAll(List<Path> files) throws IOException {
    var indexes = new ArrayList<IndexFile>();
    for (var file : files) {
      indexes.add(read(file));
    }
    return indexes;
  }

  /** What stands in files, in their order. */
  public static List<IndexDefinition> definitions(List<Path> files) throws IOException {
    return readAll(files).stream().map(IndexFile::definition).toList();
  }

  public String name() {
    return definition.name();
  }

  /** Of the index and its version. */
  public String label() {
    return definition.label();
  }
}
