package io.cellmesh.cell.index;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;

/**
 * The records of {@code trips.index.NAME}.
 *
 * <p>The key is the shard field's canonical text, a slash and the 36 characters of the row_key. The
 * value is JSON:
 *
 * <pre>{@code
 * {"v":1,"row_key":"…","removed":false,"versions":{"BASE":3,"STATUS":null},
 *  "fields":{"driver_partner_uuid":"…","city_uuid":"…","trip_created_at":"2016-01-12T09:00:00.000000Z"}}
 * }</pre>
 *
 * A removal has {@code "removed":true} and only the shard field among its fields. It is never a
 * null value: compaction would forget its versions, and a late older record would bring the entry
 * back.
 */
public final class IndexEntryCodec {
  private static final int VERSION = 1;
  private static final int UUID_LENGTH = 36;

  private final IndexDefinition definition;
  private final List<IndexField> fields;
  private final List<String> versionNames;
  private final List<String> fieldNames;

  public IndexEntryCodec(IndexDefinition definition) {
    this.definition = definition;
    this.fields = definition.fields();
    this.versionNames = quoted(columnKeys(definition));
    this.fieldNames = quoted(fields.stream().map(IndexField::name).toList());
  }

  public byte[] key(IndexEntry entry) {
    return (entry.shardValue() + '/' + entry.rowKey()).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The canonical text of the shard field in a record key.
   *
   * @throws IllegalArgumentException if the bytes are no such key
   */
  public static String shardValue(byte[] key) {
    int end = key.length - UUID_LENGTH - 1;
    if (end < 0 || key[end] != '/') {
      throw new IllegalArgumentException("not the key of an index entry");
    }
    return new String(key, 0, end, StandardCharsets.UTF_8);
  }

  /** Put together by hand, which is cheaper than with a generator of JSON. */
  public byte[] value(IndexEntry entry) {
    var json = new StringBuilder(256);
    json.append("{\"v\":").append(VERSION);
    json.append(",\"row_key\":\"").append(entry.rowKey());
    json.append("\",\"removed\":").append(entry.removed());
    json.append(",\"versions\":{");
    for (int i = 0; i < versionNames.size(); i++) {
      json.append(versionNames.get(i)).append(entry.versions().get(i));
    }
    json.append("},\"fields\":{");
    for (int i = 0; i < (entry.removed() ? 1 : fields.size()); i++) {
      json.append(fieldNames.get(i));
      fields.get(i).type().append(entry.values().get(i), json);
    }
    return json.append("}}").toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The names as they stand before their values, with the comma that is between two. */
  private static List<String> quoted(List<String> names) {
    var quoted = new ArrayList<String>();
    for (var name : names) {
      var json = new StringBuilder(quoted.isEmpty() ? "\"" : ",\"");
      JsonStringEncoder.getInstance().quoteAsString(name, json);
      quoted.add(json.append("\":").toString());
    }
    return quoted;
  }

  /**
   * Reads a record, holding it to the definition.
   *
   * @throws MisfitException naming the field and the rule that it breaks
   */
  public IndexEntry read(byte[] key, byte[] value) throws MisfitException {
    var root = parse(value);
    expect("v", root.path("v").isInt() && root.path("v").intValue() == VERSION, "must be 1");
    expect("removed", root.path("removed").isBoolean(), "must be true or false");
    boolean removed = root.path("removed").booleanValue();
    var entry =
        new IndexEntry(
            UUID.fromString(FieldType.UUID.canonical("row_key", present(root, "row_key"))),
            versions(root.path("versions")),
            values(root.path("fields"), removed),
            removed);
    expect("record", key != null, "its key is null");
    expect(
        "record",
        new String(key, StandardCharsets.UTF_8).equals(entry.shardValue() + '/' + entry.rowKey()),
        "its key is not that of its shard field and row_key");
    return entry;
  }

  private static List<String> columnKeys(IndexDefinition definition) {
    return definition.columns().stream().map(IndexColumn::columnKey).toList();
  }

  private List<Long> versions(JsonNode node) throws MisfitException {
    var names = columnKeys(definition);
    known("versions", node, names);
    var versions = new ArrayList<Long>();
    for (var name : names) {
      var version = present(node, name);
      boolean number = version.isIntegralNumber() && version.canConvertToLong();
      expect("versions", number || version.isNull(), "must be 64-bit integers or null");
      versions.add(version.isNull() ? null : Long.valueOf(version.longValue()));
    }
    return versions;
  }

  private List<String> values(JsonNode node, boolean removed) throws MisfitException {
    known("fields", node, fields.stream().map(IndexField::name).toList());
    var values = new ArrayList<String>();
    for (var field : fields) {
      var value = removed ? node.path(field.name()) : present(node, field.name());
      values.add(field.type().canonical(field.name(), value));
    }
    expect(fields.get(0).name(), values.get(0) != null, "is the shard field and must not be null");
    return values;
  }

  private static JsonNode parse(byte[] value) throws MisfitException {
    expect("record", value != null, "its value is null; a removal has a value, too");
    try {
      var root = ExactJson.MAPPER.readTree(value);
      expect("record", root != null && root.isObject(), "not a JSON object");
      return root;
    } catch (IOException e) {
      throw new MisfitException("record", "not JSON");
    }
  }

  private static void known(String what, JsonNode node, List<String> names) throws MisfitException {
    expect(what, node.isObject(), "must be an object");
    var unknown = new HashSet<String>();
    node.fieldNames().forEachRemaining(unknown::add);
    names.forEach(unknown::remove);
    expect(what, unknown.isEmpty(), "has what the definition does not know");
  }

  private static JsonNode present(JsonNode node, String name) throws MisfitException {
    expect(name, node.has(name), "missing");
    return node.get(name);
  }

  private static void expect(String field, boolean holds, String rule) throws MisfitException {
    if (!holds) {
      throw new MisfitException(field, rule);
    }
  }
}
