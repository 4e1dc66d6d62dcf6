package io.cellmesh.index;

import io.cellmesh.cell.Topics;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexDefinitionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The indexes that are built together, in one go over the log. A pass never changes: another index
 * is another pass, which reads the log from its beginning.
 *
 * @param name of its directory, and the end of its application's id
 * @param definitions at least one; their labels differ
 * @param backfill whether cells also come from a topic of the pass's own, because the log no longer
 *     has them all
 */
record Pass(String name, List<IndexDefinition> definitions, boolean backfill) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9_-]{1,48}");
  private static final String BACKFILL = "backfill";
  private static final String DEFINITION = ".yaml";

  Pass {
    definitions = List.copyOf(definitions);
  }

  /**
   * Reads a pass's directory: every {@code *.yaml} in it is a definition, and a file {@code
   * backfill} asks for that topic.
   *
   * @param instance the datastore of every definition
   * @throws IndexDefinitionException naming the file, the line where known, and the rule
   */
  static Pass read(Path directory, String instance) throws IOException {
    var name = directory.getFileName().toString();
    if (!NAME.matcher(name).matches()) {
      throw new IndexDefinitionException(
          "%s: the name of a pass is 1 to 48 of a-z, 0-9, _ and -".formatted(directory));
    }
    var definitions = new ArrayList<IndexDefinition>();
    var labels = new HashSet<String>();
    for (var file : definitionFiles(directory)) {
      try {
        var definition = IndexDefinition.parse(Files.readString(file));
        check(definition, instance, labels);
        definitions.add(definition);
      } catch (IndexDefinitionException e) {
        throw new IndexDefinitionException(file + ": " + e.getMessage());
      }
    }
    if (definitions.isEmpty()) {
      throw new IndexDefinitionException(directory + ": holds no definition (*.yaml)");
    }
    return new Pass(name, definitions, Files.exists(directory.resolve(BACKFILL)));
  }

  /** The consumer group, the prefix of the changelog topic, and the directory of local state. */
  String applicationId(String instance) {
    return applicationPrefix(instance) + name;
  }

  static String applicationPrefix(String instance) {
    return instance + "-index-";
  }

  /** The topics that it reads cells from; a row stands in the same partition of each. */
  Set<String> sources(Topics topics) {
    return backfill ? Set.of(topics.log(), topics.indexBackfill(name)) : Set.of(topics.log());
  }

  /** The topics that its entries go to. */
  Set<String> outputs(Topics topics) {
    return definitions.stream().map(d -> topics.index(d.label())).collect(Collectors.toSet());
  }

  private static List<Path> definitionFiles(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      return files.filter(f -> f.toString().endsWith(DEFINITION)).sorted().toList();
    }
  }

  private static void check(IndexDefinition definition, String instance, Set<String> labels) {
    if (!definition.datastore().equals(instance)) {
      throw new IndexDefinitionException(
          "datastore: \"%s\" is not this topology's instance, %s"
              .formatted(definition.datastore(), instance));
    }
    if (!labels.add(definition.label())) {
      throw new IndexDefinitionException(
          "table: \"%s\" is given twice in this version".formatted(definition.name()));
    }
  }
}
