package io.cellmesh.cell.index;

import io.cellmesh.cell.Names;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What an index holds. Its first field is the shard field: an entry stands on the shard of that
 * field's value, and every query gives it.
 *
 * @param name the index's name, {@code table} in the YAML
 * @param version from 1 to {@value #MAX_VERSION}; another set of fields or another shard field is
 *     another version, which is built beside the one that serves
 * @param datastore the instance whose cells it indexes
 * @param columns the columns that it takes fields from
 */
public record IndexDefinition(
    String name, int version, String datastore, List<IndexColumn> columns) {
  /** Most columns that one index takes fields from; each costs a version in every entry. */
  public static final int MAX_COLUMNS = 16;

  /** Most fields of one index, so that a row of MySQL holds them all at their longest. */
  public static final int MAX_FIELDS = 32;

  public static final int MAX_VERSION = 9999;

  private static final int DIGEST_LENGTH = 16;

  /**
   * @throws IndexDefinitionException naming the rule that is broken
   */
  public IndexDefinition {
    columns = List.copyOf(columns);
    checkName("table", name);
    checkName("datastore", datastore);
    if (version < 1 || version > MAX_VERSION) {
      throw new IndexDefinitionException("version: must be 1 to " + MAX_VERSION);
    }
    if (columns.isEmpty()) {
      throw new IndexDefinitionException(
          "column_defs: there is none, so there is no shard field (the first field of the first)");
    }
    if (columns.size() > MAX_COLUMNS) {
      throw new IndexDefinitionException("column_defs: over " + MAX_COLUMNS);
    }
    checkNames(columns);
    checkShardField(columns.get(0).fields().get(0));
  }

  /** The first version. */
  public IndexDefinition(String name, String datastore, List<IndexColumn> columns) {
    this(name, 1, datastore, columns);
  }

  /**
   * Reads the YAML form.
   *
   * @throws IndexDefinitionException naming line and rule
   */
  public static IndexDefinition parse(String yaml) {
    return IndexDefinitionYaml.parse(yaml);
  }

  /**
   * Reads the YAML forms of one definition or several, with a line of three dashes between each two
   * of them.
   *
   * @throws IndexDefinitionException naming line and rule; also for a version that stands there
   *     twice
   */
  public static List<IndexDefinition> parseAll(String yaml) {
    return IndexDefinitionYaml.parseAll(yaml);
  }

  /** The YAML form: one text for all equal definitions. */
  public String toYaml() {
    return IndexDefinitionYaml.write(this);
  }

  /** The form that {@link #parseAll} reads back. */
  public static String toYaml(List<IndexDefinition> definitions) {
    return definitions.stream()
        .map(IndexDefinition::toYaml)
        .collect(Collectors.joining(IndexDefinitionYaml.SEPARATOR + '\n'));
  }

  /** The field whose value decides the shard. */
  public IndexField shardField() {
    return columns.get(0).fields().get(0);
  }

  /** All fields, in the order of the definition; the shard field comes first. */
  public List<IndexField> fields() {
    return columns.stream().flatMap(c -> c.fields().stream()).toList();
  }

  /** The place of a cells' column among the columns, or -1. */
  public int columnOf(String columnKey) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).columnKey().equals(columnKey)) {
        return i;
      }
    }
    return -1;
  }

  /** The name of the table on every shard. */
  public String tableName() {
    return "idx_" + name + "_v" + version;
  }

  /**
   * Tells this version from all other indexes, in the names of topics and connectors: the name
   * alone for the first version, {@code NAME.v2} and so on for the others.
   */
  public String label() {
    return version == 1 ? name : name + ".v" + version;
  }

  /** The same index under another version. */
  public IndexDefinition withVersion(int other) {
    return new IndexDefinition(name, other, datastore, columns);
  }

  /** Tells definitions apart: equal ones have equal digests, of {@value #DIGEST_LENGTH} digits. */
  public String digest() {
    try {
      var text = toYaml().getBytes(StandardCharsets.UTF_8);
      var digest = MessageDigest.getInstance("SHA-256").digest(text);
      return HexFormat.of().formatHex(digest).substring(0, DIGEST_LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static void checkShardField(IndexField field) {
    if (field.type() == FieldType.DOUBLE) {
      throw new IndexDefinitionException(
          "type: the shard field is looked up by its exact value, which a double does not promise; use decimal or string");
    }
  }

  static void checkName(String setting, String name) {
    if (!Names.INSTANCE.matcher(name).matches()) {
      throw new IndexDefinitionException(
          "%s: \"%s\" is not 1 to 48 of a-z, 0-9 and _".formatted(setting, name));
    }
  }

  private static void checkNames(List<IndexColumn> columns) {
    var keys = new HashSet<String>();
    var names = new HashSet<String>();
    for (var column : columns) {
      if (!keys.add(column.columnKey())) {
        throw new IndexDefinitionException(
            "column_key: \"%s\" is used twice".formatted(column.columnKey()));
      }
      for (var field : column.fields()) {
        if (!names.add(field.name())) {
          throw new IndexDefinitionException(
              "field: the name \"%s\" is used twice; give one another with `as`"
                  .formatted(field.name()));
        }
      }
    }
    if (names.size() > MAX_FIELDS) {
      throw new IndexDefinitionException("fields: over " + MAX_FIELDS);
    }
  }
}
