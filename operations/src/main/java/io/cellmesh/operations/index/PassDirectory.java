package io.cellmesh.operations.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexDefinitionException;
import io.cellmesh.deployment.Pass;
import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The directory from which an index-streams of before took its passes: one subdirectory a pass,
 * with the definitions that are kept together, and a file {@code backfill} if its cells come from
 * the tables, too.
 */
public final class PassDirectory {
  private static final String BACKFILL = "backfill";
  private static final String DEFINITION = ".yaml";

  private PassDirectory() {}

  /**
   * Reads its passes, by name. A name that begins with a point was still being written.
   *
   * @throws OperationException naming the file and the rule, if one of them is none
   */
  public static List<Pass> read(Path directory) throws IOException {
    var passes = new ArrayList<Pass>();
    try (var listed = Files.list(directory)) {
      for (var each : listed.filter(Files::isDirectory).sorted().toList()) {
        if (!each.getFileName().toString().startsWith(".")) {
          passes.add(pass(each));
        }
      }
    }
    return passes;
  }

  private static Pass pass(Path directory) throws IOException {
    var definitions = new ArrayList<IndexDefinition>();
    try (var listed = Files.list(directory)) {
      for (var file : listed.filter(f -> f.toString().endsWith(DEFINITION)).sorted().toList()) {
        definitions.add(definition(file));
      }
    }
    try {
      return new Pass(
          directory.getFileName().toString(),
          definitions,
          Files.exists(directory.resolve(BACKFILL)));
    } catch (IndexDefinitionException e) {
      throw OperationException.invalid("%s: %s".formatted(directory, e.getMessage()));
    }
  }

  private static IndexDefinition definition(Path file) throws IOException {
    try {
      return IndexDefinition.parse(Files.readString(file));
    } catch (IndexDefinitionException e) {
      throw OperationException.invalid("%s: %s".formatted(file, e.getMessage()));
    }
  }
}
