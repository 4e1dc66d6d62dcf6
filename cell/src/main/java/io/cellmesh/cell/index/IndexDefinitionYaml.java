package io.cellmesh.cell.index;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.cellmesh.cell.yaml.YamlException;
import io.cellmesh.cell.yaml.YamlTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Reads and writes the YAML form of index definitions. */
final class IndexDefinitionYaml {
  /** Between two documents of YAML. */
  static final String SEPARATOR = "---";

  private final Map<String, Integer> columnLines = new HashMap<>();
  private final Map<String, Integer> nameLines = new HashMap<>();

  private IndexDefinitionYaml() {}

  static IndexDefinition parse(String yaml) {
    try {
      var root = YamlTree.parse("the index definition", yaml).mapping("index definition");
      return new IndexDefinitionYaml().definition(root);
    } catch (YamlException e) {
      throw new IndexDefinitionException(e.getMessage());
    }
  }

  /** Line numbers in what it throws are those of the whole text. */
  static List<IndexDefinition> parseAll(String yaml) {
    var definitions = new ArrayList<IndexDefinition>();
    var labels = new HashSet<String>();
    var lines = yaml.lines().toList();
    for (int from = 0; from <= lines.size(); ) {
      int end = from;
      while (end < lines.size() && !lines.get(end).stripTrailing().equals(SEPARATOR)) {
        end++;
      }
      var document = String.join("\n", lines.subList(from, end));
      if (!document.isBlank()) {
        var definition = parse("\n".repeat(from) + document);
        if (!labels.add(definition.label())) {
          throw new IndexDefinitionException(
                  "table: %s stands there twice".formatted(definition.label()))
              .at(1 + from);
        }
        definitions.add(definition);
      }
      from = end + 1;
    }
    if (definitions.isEmpty()) {
      throw new IndexDefinitionException("no index definition");
    }
    return definitions;
  }

  /** One text for all equal definitions; {@link #parse} reads it back. */
  static String write(IndexDefinition definition) {
    var out = new StringBuilder();
    out.append("table: ").append(quoted(definition.name())).append('\n');
    if (definition.version() > 1) {
      out.append("version: ").append(definition.version()).append('\n');
    }
    out.append("datastore: ").append(quoted(definition.datastore())).append('\n');
    out.append("column_defs:\n");
    for (var column : definition.columns()) {
      out.append("  - column_key: ").append(quoted(column.columnKey())).append('\n');
      out.append("    fields:\n");
      for (var field : column.fields()) {
        out.append(
            "      - {field: %s, type: %s, as: %s}\n"
                .formatted(
                    quoted(String.join(".", field.path())),
                    field.type().yamlName(),
                    quoted(field.name())));
      }
    }
    return out.toString();
  }

  private IndexDefinition definition(YamlTree.Mapping root) {
    root.allow("index definition", Set.of("table", "version", "datastore", "column_defs"));
    var name = name(root, "table");
    int version = root.entries().containsKey("version") ? version(root.text("version")) : 1;
    var datastore = name(root, "datastore");
    var columns = root.list("column_defs").stream().map(this::column).toList();
    columns.stream().findFirst().ifPresent(this::checkShardField);
    return at(
        root.required("column_defs").line(),
        () -> new IndexDefinition(name.text(), version, datastore.text(), columns));
  }

  private static YamlTree.Scalar name(YamlTree.Mapping root, String setting) {
    var name = root.text(setting);
    return at(
        name.line(),
        () -> {
          IndexDefinition.checkName(setting, name.text());
          return name;
        });
  }

  private void checkShardField(IndexColumn first) {
    var field = first.fields().get(0);
    at(
        nameLines.get(field.name()),
        () -> {
          IndexDefinition.checkShardField(field);
          return field;
        });
  }

  private static int version(YamlTree.Scalar text) {
    if (text.text().matches("[1-9][0-9]{0,3}")) {
      return Integer.parseInt(text.text());
    }
    throw YamlTree.refuse(
        text, "version: \"%s\" is not 1 to %d".formatted(text.text(), IndexDefinition.MAX_VERSION));
  }

  private IndexColumn column(YamlTree node) {
    var mapping = node.mapping("column_defs").allow("column_defs", Set.of("column_key", "fields"));
    var key = mapping.text("column_key");
    once(columnLines, "column_key", key);
    var fields = mapping.list("fields").stream().map(this::field).toList();
    return at(key.line(), () -> new IndexColumn(key.text(), fields));
  }

  private IndexField field(YamlTree node) {
    var mapping = node.mapping("fields").allow("fields", Set.of("field", "type", "as"));
    var path = mapping.text("field");
    var type = mapping.text("type");
    var known = Arrays.stream(FieldType.values()).map(FieldType::yamlName).toList();
    var fieldType =
        FieldType.of(type.text())
            .orElseThrow(
                () ->
                    YamlTree.refuse(
                        type, "type: \"%s\" is none of %s".formatted(type.text(), known)));
    var named = mapping.entries().containsKey("as") ? mapping.text("as") : null;
    var field =
        at(
            (named == null ? path : named).line(),
            () ->
                named == null
                    ? IndexField.of(path.text(), fieldType)
                    : IndexField.of(path.text(), fieldType, named.text()));
    once(nameLines, "field", new YamlTree.Scalar(path.line(), field.name()));
    return field;
  }

  private static void once(Map<String, Integer> lines, String what, YamlTree.Scalar name) {
    var first = lines.putIfAbsent(name.text(), name.line());
    if (first != null) {
      throw YamlTree.refuse(
          name, "%s: \"%s\" is used twice, first in line %d".formatted(what, name.text(), first));
    }
  }

  private static <T> T at(int line, Supplier<T> made) {
    try {
      return made.get();
    } catch (IndexDefinitionException e) {
      throw e.at(line);
    }
  }

  private static String quoted(String text) {
    return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
