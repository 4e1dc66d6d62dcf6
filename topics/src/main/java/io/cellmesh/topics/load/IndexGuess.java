package io.cellmesh.topics.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.Cell;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Guesses an index over cells that nobody defined one for, so that there is something to ask: its
 * shard field is the text that has the most values and still repeats.
 */
public final class IndexGuess {
  private static final int MOST_FIELDS = 5;
  private static final int LONGEST_TEXT = 255;
  private static final Pattern NAME = Pattern.compile("[a-z0-9_]{1,40}");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String instance;
  private final String column;
  private final Map<String, Field> fields = new LinkedHashMap<>();
  private int rows;

  private IndexGuess(String instance, String column) {
    this.instance = instance;
    this.column = column;
  }

  /** What was seen of one field. */
  private static final class Field {
    private final Set<String> texts = new HashSet<>();
    private boolean text = true;
    private boolean number = true;

    void see(JsonNode value) {
      if (!value.isNull()) {
        text &= value.isTextual() && value.textValue().length() <= LONGEST_TEXT;
        number &= value.isNumber();
        texts.add(value.asText());
      }
    }

    boolean isText() {
      return text && !texts.isEmpty();
    }

    boolean isNumber() {
      return number && !texts.isEmpty();
    }
  }

  /** The definition's YAML from some cells of one column; empty if no text field repeats. */
  public static Optional<String> of(String instance, List<Cell> sample) {
    if (sample.isEmpty()) {
      return Optional.empty();
    }
    var guess = new IndexGuess(instance, sample.get(0).key().columnName());
    for (var cell : sample) {
      if (cell.key().columnName().equals(guess.column)) {
        guess.see(cell);
      }
    }
    return guess.yaml();
  }

  private void see(Cell cell) {
    try {
      rows++;
      JSON.readTree(cell.body().toJson())
          .properties()
          .forEach(p -> fields.computeIfAbsent(p.getKey(), f -> new Field()).see(p.getValue()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private Optional<String> yaml() {
    var shardField = shardField();
    if (shardField.isEmpty()) {
      return Optional.empty();
    }
    var chosen = new ArrayList<String>();
    chosen.add(shardField.get());
    fields.keySet().stream()
        .filter(name -> !name.equals(shardField.get()))
        .filter(this::isUsable)
        .limit(MOST_FIELDS - 1L)
        .forEach(chosen::add);
    var yaml = new StringBuilder();
    yaml.append("table: by_").append(shardField.get()).append('\n');
    yaml.append("datastore: ").append(instance).append('\n');
    yaml.append("column_defs:\n  - column_key: ").append(quoted(column)).append("\n    fields:\n");
    for (var name : chosen) {
      var type = fields.get(name).isText() ? "string" : "decimal";
      yaml.append("      - {field: %s, type: %s}\n".formatted(name, type));
    }
    return Optional.of(yaml.toString());
  }

  private Optional<String> shardField() {
    String best = null;
    for (var name : fields.keySet()) {
      int distinct = fields.get(name).texts.size();
      if (isUsable(name)
          && fields.get(name).isText()
          && distinct > 1
          && distinct <= rows / 2
          && (best == null || distinct > fields.get(best).texts.size())) {
        best = name;
      }
    }
    return Optional.ofNullable(best);
  }

  private boolean isUsable(String name) {
    return NAME.matcher(name).matches()
        && !name.equals("row_key")
        && !name.equals("removed")
        && !name.startsWith("version_")
        && (fields.get(name).isText() || fields.get(name).isNumber());
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
