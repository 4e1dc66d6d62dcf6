package io.cellmesh.cell.index;

import com.fasterxml.jackson.databind.JsonNode;
import io.cellmesh.cell.Body;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What an index knows about one row: per column the highest ref_key and the fields of that cell.
 *
 * <p>It also remembers every value of the shard field that the row has left. Whoever keeps it
 * durably and publishes the entries separately may lose, in a crash, entries of cells that it
 * already knows; when such a cell comes again, {@link #apply} returns all that must stand, the
 * removals under every former value among it. A row that changes its shard field often pays for it
 * in state, as it does in the tables, where each of those removals stays.
 */
public final class IndexRow {
  /** Stands for the length of a text that is none; no text is longer than 255 characters. */
  private static final short NO_TEXT = -1;

  private final IndexDefinition definition;
  private final UUID rowKey;
  private final List<Long> versions;
  private final List<String> values;
  private final Set<String> former;

  IndexRow(
      IndexDefinition definition,
      UUID rowKey,
      List<Long> versions,
      List<String> values,
      Set<String> former) {
    this.definition = definition;
    this.rowKey = rowKey;
    this.versions = Collections.unmodifiableList(versions);
    this.values = Collections.unmodifiableList(values);
    this.former = Collections.unmodifiableSet(former);
  }

  /** A row of which no cell has been seen. */
  public static IndexRow empty(IndexDefinition definition, UUID rowKey) {
    return new IndexRow(
        definition,
        rowKey,
        Collections.nCopies(definition.columns().size(), null),
        Collections.nCopies(fieldsOf(definition.columns()), null),
        Set.of());
  }

  /**
   * A row and what has to be published after a cell.
   *
   * @param entries upserts and removals; empty if the cell changed nothing
   */
  public record Change(IndexRow row, List<IndexEntry> entries) {}

  /** {@link #apply(String, long, JsonNode)} for a body in its stored form. */
  public Change apply(String columnName, long refKey, Body body) throws MisfitException {
    try {
      return definition.columnOf(columnName) < 0
          ? new Change(this, List.of())
          : apply(columnName, refKey, ExactJson.MAPPER.readTree(body.toJson()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Takes in a cell of this row. An older one changes nothing; the one already known gives again
   * what must stand.
   *
   * @throws MisfitException if a field does not fit: the cell does not count for this index,
   *     whatever its ref_key
   */
  public Change apply(String columnName, long refKey, JsonNode body) throws MisfitException {
    int column = definition.columnOf(columnName);
    if (column < 0) {
      return new Change(this, List.of());
    }
    var projected = definition.columns().get(column).project(body);
    var known = versions.get(column);
    if (known != null && known > refKey) {
      return new Change(this, List.of());
    }
    if (known != null && known == refKey) {
      return new Change(this, standing());
    }
    var next = with(column, refKey, projected);
    var entries = new ArrayList<IndexEntry>();
    next.entry().ifPresent(entries::add);
    if (values.get(0) != null && next.former.contains(values.get(0))) {
      entries.add(next.removal(values.get(0)));
    }
    return new Change(next, List.copyOf(entries));
  }

  /** The entry of this row, if its shard field has a value. */
  public Optional<IndexEntry> entry() {
    return values.get(0) == null
        ? Optional.empty()
        : Optional.of(new IndexEntry(rowKey, versions, values, false));
  }

  /**
   * The stored form: the numbers of columns and fields, a byte each; per column a byte that says
   * whether a version follows, and that; the texts of the fields; how many values were left, in
   * four bytes, and their texts. A text is its length in two bytes and its UTF-8.
   */
  public byte[] toBytes() {
    var bytes = new ByteArrayOutputStream(256);
    try (var out = new DataOutputStream(bytes)) {
      out.writeByte(versions.size());
      out.writeByte(values.size());
      for (var version : versions) {
        out.writeBoolean(version != null);
        if (version != null) {
          out.writeLong(version);
        }
      }
      for (var value : values) {
        write(out, value);
      }
      out.writeInt(former.size());
      for (var value : former) {
        write(out, value);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * The row of a stored form.
   *
   * @throws IllegalStateException if it is damaged or of another definition
   */
  public static IndexRow ofBytes(IndexDefinition definition, UUID rowKey, byte[] stored) {
    int columns = definition.columns().size();
    int fields = fieldsOf(definition.columns());
    try {
      var in = ByteBuffer.wrap(stored);
      if (in.get() != columns || in.get() != fields) {
        throw new IllegalStateException("the state of an index row is of another definition");
      }
      var versions = new ArrayList<Long>(columns);
      for (int i = 0; i < columns; i++) {
        versions.add(in.get() == 0 ? null : Long.valueOf(in.getLong()));
      }
      var values = new ArrayList<String>(fields);
      for (int i = 0; i < fields; i++) {
        values.add(read(in));
      }
      int left = in.getInt();
      var former = left == 0 ? Set.<String>of() : new LinkedHashSet<String>();
      for (int i = 0; i < left; i++) {
        former.add(read(in));
      }
      return new IndexRow(definition, rowKey, versions, values, former);
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new IllegalStateException("the state of an index row is damaged");
    }
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    if (text == null) {
      out.writeShort(NO_TEXT);
      return;
    }
    var utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.writeShort(utf8.length);
    out.write(utf8);
  }

  private static String read(ByteBuffer in) {
    int length = in.getShort();
    if (length == NO_TEXT) {
      return null;
    }
    var text = new String(in.array(), in.position(), length, StandardCharsets.UTF_8);
    in.position(in.position() + length);
    return text;
  }

  private static int fieldsOf(List<IndexColumn> columns) {
    int count = 0;
    for (var column : columns) {
      count += column.fields().size();
    }
    return count;
  }

  private IndexRow with(int column, long refKey, List<String> projected) {
    var nextVersions = new ArrayList<>(versions);
    nextVersions.set(column, refKey);
    var nextValues = new ArrayList<>(values);
    int first = fieldsOf(definition.columns().subList(0, column));
    for (int i = 0; i < projected.size(); i++) {
      nextValues.set(first + i, projected.get(i));
    }
    return new IndexRow(definition, rowKey, nextVersions, nextValues, left(nextValues.get(0)));
  }

  /** The values of the shard field that the row has left once it has the next one. */
  private Set<String> left(String next) {
    if (Objects.equals(next, values.get(0))) {
      return former;
    }
    var left = new LinkedHashSet<>(former);
    if (values.get(0) != null) {
      left.add(values.get(0));
    }
    left.remove(next);
    return left;
  }

  private List<IndexEntry> standing() {
    var entries = new ArrayList<IndexEntry>();
    entry().ifPresent(entries::add);
    former.forEach(value -> entries.add(removal(value)));
    return List.copyOf(entries);
  }

  private IndexEntry removal(String shardValue) {
    return IndexEntry.removal(rowKey, versions, shardValue, values.size());
  }
}
