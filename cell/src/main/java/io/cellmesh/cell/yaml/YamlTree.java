package io.cellmesh.cell.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** A YAML value that knows its line, so that a refusal can name it. */
public sealed interface YamlTree {
  /** The one parser. */
  YAMLFactory FACTORY = new YAMLFactory();

  /** Where it begins, from 1. */
  int line();

  record Scalar(int line, String text) implements YamlTree {}

  record Sequence(int line, List<YamlTree> items) implements YamlTree {}

  record Mapping(int line, Map<String, YamlTree> entries) implements YamlTree {
    /**
     * Refuses entries that nobody would read.
     *
     * @param what this mapping is, for messages
     */
    public Mapping allow(String what, Set<String> known) {
      for (var entry : entries.entrySet()) {
        if (!known.contains(entry.getKey())) {
          throw refuse(
              entry.getValue(),
              "%s: unknown field \"%s\"; known are %s"
                  .formatted(what, entry.getKey(), known.stream().sorted().toList()));
        }
      }
      return this;
    }

    /** The value of a field that must be there. */
    public YamlTree required(String name) {
      var value = entries.get(name);
      if (value == null) {
        throw refuse(this, name + " is missing");
      }
      return value;
    }

    /** The text of a field that must be there. */
    public Scalar text(String name) {
      if (required(name) instanceof Scalar scalar) {
        return scalar;
      }
      throw refuse(required(name), name + " must be a text");
    }

    /** The items of a field that must be there. */
    public List<YamlTree> list(String name) {
      if (required(name) instanceof Sequence sequence) {
        return sequence.items();
      }
      throw refuse(required(name), name + " must be a list");
    }
  }

  /** This value as a mapping. */
  default Mapping mapping(String what) {
    if (this instanceof Mapping mapping) {
      return mapping;
    }
    throw refuse(this, what + " must be a mapping");
  }

  /** The refusal of a value, by its line. */
  static YamlException refuse(YamlTree where, String rule) {
    return new YamlException(rule).at(where.line());
  }

  /**
   * Reads a text of one document.
   *
   * @param what it is, for messages
   * @throws YamlException naming line and rule
   */
  static YamlTree parse(String what, String yaml) {
    try (var parser = FACTORY.createParser(yaml)) {
      if (parser.nextToken() == null) {
        throw new YamlException(what + " is empty");
      }
      var tree = value(parser);
      if (parser.nextToken() != null) {
        throw new YamlException("a second document follows").at(lineOf(parser));
      }
      return tree;
    } catch (JsonProcessingException e) {
      throw notYaml(yaml, e);
    } catch (IOException e) {
      throw new IllegalStateException("reading a text can't fail", e);
    }
  }

  private static YamlException notYaml(String yaml, JsonProcessingException e) {
    // The parser's own location is where the last token began, which may be lines before.
    if (e.getCause() instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
      // What is never closed is missed behind the last line.
      long line = Math.min(1 + marked.getProblemMark().getLine(), yaml.lines().count());
      return new YamlException("not YAML: " + marked.getProblem()).at((int) line);
    }
    var at = e.getLocation();
    var problem = new YamlException("not YAML");
    return at == null ? problem : problem.at(at.getLineNr());
  }

  private static YamlTree value(YAMLParser parser) throws IOException {
    int line = lineOf(parser);
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, line);
      case START_ARRAY -> {
        var items = new ArrayList<YamlTree>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(value(parser));
        }
        yield new Sequence(line, items);
      }
      case VALUE_NULL -> new Scalar(line, "");
      default -> new Scalar(line, parser.getText());
    };
  }

  private static Mapping object(YAMLParser parser, int line) throws IOException {
    var entries = new LinkedHashMap<String, YamlTree>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.currentName();
      parser.nextToken();
      var value = value(parser);
      if (entries.put(name, value) != null) {
        throw refuse(value, "\"%s\" stands twice in one mapping".formatted(name));
      }
    }
    return new Mapping(line, entries);
  }

  private static int lineOf(YAMLParser parser) {
    return parser.currentTokenLocation().getLineNr();
  }
}
