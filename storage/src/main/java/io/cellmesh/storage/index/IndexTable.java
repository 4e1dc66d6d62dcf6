package io.cellmesh.storage.index;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.cell.index.FieldType;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexField;
import io.cellmesh.storage.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The table of an index on a shard: its definition and its statements.
 *
 * <p>A write counts only if none of its versions is lower than what stands (the same rule as {@link
 * IndexEntry#supersedes}); so any order and any repetition of the same entries ends the same.
 */
public final class IndexTable {
  private static final int MAX_KEY_BYTES = 3072;
  private static final int MAX_KEY_PARTS = 16;
  private static final String REMOVED = "removed";

  private final String instance;
  private final IndexDefinition definition;
  private final List<IndexField> fields;
  private final String names;
  private final String update;

  public IndexTable(String instance, IndexDefinition definition) {
    this.instance = instance;
    this.definition = definition;
    this.fields = definition.fields();
    this.names = names();
    this.update = update();
  }

  /** What marks the table as this definition's; another definition under the name is refused. */
  public String comment() {
    return "cellmesh index " + definition.digest();
  }

  /** The statement that makes the table on a shard, if it is missing. */
  public String createStatement(int shard) {
    var lines = new ArrayList<String>();
    for (var field : fields) {
      boolean shardField = field == fields.get(0);
      lines.add(
          "%s %s %s"
              .formatted(
                  quoted(field.name()),
                  FieldColumn.sqlType(field.type()),
                  shardField ? "NOT NULL" : "NULL"));
    }
    lines.add("row_key BINARY(16) NOT NULL");
    lines.add(REMOVED + " BOOLEAN NOT NULL");
    versions().forEach(v -> lines.add(v + " BIGINT NULL"));
    lines.add("PRIMARY KEY (%s, row_key)".formatted(quoted(fields.get(0).name())));
    if (fields.size() > 1) {
      lines.add("KEY lookup (%s)".formatted(String.join(", ", lookup())));
    }
    times().forEach(f -> lines.add("KEY %s (%s)".formatted(quoted("by_" + f.name()), byTime(f))));
    return "CREATE TABLE IF NOT EXISTS %s (\n  %s\n) ENGINE=InnoDB COMMENT='%s'"
        .formatted(name(shard), String.join(",\n  ", lines), comment());
  }

  /** The table's name with its database, quoted. */
  String name(int shard) {
    return quoted(Names.database(instance, shard)) + '.' + quoted(definition.tableName());
  }

  static String quoted(String name) {
    return '`' + name + '`';
  }

  /** Appends the statement that writes rows of one shard, each if no version of it is lower. */
  Script write(Script script, int shard, List<IndexEntry> rows) {
    return insert(script, shard, rows).sql(update);
  }

  /** Appends the statement that writes rows of one shard, which fails if one stands already. */
  Script insert(Script script, int shard, List<IndexEntry> rows) {
    script.sql("INSERT INTO ").sql(name(shard)).sql(names);
    var separator = "";
    for (var row : rows) {
      script.sql(separator).sql("(");
      for (int i = 0; i < fields.size(); i++) {
        FieldColumn.write(script, fields.get(i).type(), row.values().get(i));
        script.sql(",");
      }
      script.bytes(UuidBytes.of(row.rowKey()));
      script.sql(row.removed() ? ",TRUE" : ",FALSE");
      for (var version : row.versions()) {
        script.sql(",");
        if (version == null) {
          script.sql("NULL");
        } else {
          script.number(version);
        }
      }
      script.sql(")");
      separator = ",";
    }
    return script;
  }

  private String names() {
    var names = new ArrayList<String>();
    fields.forEach(f -> names.add(quoted(f.name())));
    names.add("row_key");
    names.add(REMOVED);
    names.addAll(versions());
    return " (" + String.join(",", names) + ") VALUES ";
  }

  /**
   * Assignments run from left to right; the guard holds for what stands after any of them, too,
   * since a version does not fall behind itself.
   */
  private String update() {
    var table = quoted(definition.tableName());
    var guard =
        versions().stream()
            .map(v -> "(%1$s.%2$s IS NULL OR new.%2$s >= %1$s.%2$s)".formatted(table, v))
            .collect(Collectors.joining(" AND "));
    var guarded = new ArrayList<String>();
    fields.stream().skip(1).forEach(f -> guarded.add(quoted(f.name())));
    guarded.add(REMOVED);
    guarded.addAll(versions());
    return guarded.stream()
        .map(c -> "%1$s = IF(%2$s, new.%1$s, %3$s.%1$s)".formatted(c, guard, table))
        .collect(Collectors.joining(", ", " AS new ON DUPLICATE KEY UPDATE ", ""));
  }

  private List<String> versions() {
    return IntStream.rangeClosed(1, definition.columns().size())
        .mapToObj(i -> "version_" + i)
        .toList();
  }

  /**
   * The shard field, whether removed, and as many of the other fields as a key of InnoDB can hold,
   * in their order. It mostly holds all, and then MySQL answers from it alone.
   */
  private List<String> lookup() {
    var parts = new ArrayList<String>();
    int bytes = FieldColumn.keyBytes(FieldType.BOOLEAN);
    for (var field : fields) {
      bytes += FieldColumn.keyBytes(field.type());
      if (bytes > MAX_KEY_BYTES || parts.size() == MAX_KEY_PARTS) {
        return parts;
      }
      parts.add(quoted(field.name()));
      if (parts.size() == 1) {
        parts.add(REMOVED);
      }
    }
    return parts;
  }

  /**
   * The times that don't come first in the lookup: what lies between two, or comes last, is asked
   * most.
   */
  private List<IndexField> times() {
    return fields.stream().skip(2).filter(f -> f.type() == FieldType.DATETIME).toList();
  }

  private String byTime(IndexField time) {
    return "%s, %s, %s".formatted(quoted(fields.get(0).name()), REMOVED, quoted(time.name()));
  }
}
