package io.cellmesh.cell.index;

import com.fasterxml.jackson.databind.JsonNode;
import io.cellmesh.cell.Body;
import io.cellmesh.cell.index.LeftValues.Left;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * What an index knows about one row: per column the highest ref_key and the fields of that cell.
 *
 * <p>It also remembers values of the shard field that the row has left ({@link LeftValues}).
 * Whoever keeps it durably and publishes the entries separately may lose, in a crash, entries of
 * cells that it already knows; when such a cell comes again, {@link #apply} returns all that must
 * stand, the removals under those values among it. An older cell gives the removal under its own
 * value. So only a row that left a value and then took over 200 others (of a UUID's size), all
 * within what one crash lost, can keep an entry under that value.
 */
public final class IndexRow {
  /**
   * Marks the stored form in which values that were left have their ref_keys; the older has none.
   */
  private static final int DATED = 0x40;

  /** Stands for the length of a text that is none; no text is longer than 255 characters. */
  private static final short NO_TEXT = -1;

  private final IndexDefinition definition;
  private final UUID rowKey;
  private final List<Long> versions;
  private final List<String> values;
  private final LeftValues left;

  IndexRow(
      IndexDefinition definition,
      UUID rowKey,
      List<Long> versions,
      List<String> values,
      LeftValues left) {
    this.definition = definition;
    this.rowKey = rowKey;
    this.versions = Collections.unmodifiableList(versions);
    this.values = Collections.unmodifiableList(values);
    this.left = left;
  }

  /** A row of which no cell has been seen. */
  public static IndexRow empty(IndexDefinition definition, UUID rowKey) {
    return new IndexRow(
        definition,
        rowKey,
        Collections.nCopies(definition.columns().size(), null),
        Collections.nCopies(fieldsOf(definition.columns()), null),
        LeftValues.NONE);
  }

  /**
   * A row and what has to be published after a cell.
   *
   * @param entries upserts and removals; empty if the cell changed nothing
   * @param kept whether the row is to be stored, be it as it was: a crash may have lost what was
   *     stored before, too
   */
  public record Change(IndexRow row, List<IndexEntry> entries, boolean kept) {}

  /** {@link #apply(String, long, JsonNode)} for a body in its stored form. */
  public Change apply(String columnName, long refKey, Body body) throws MisfitException {
    try {
      return definition.columnOf(columnName) < 0
          ? nothing()
          : apply(columnName, refKey, ExactJson.MAPPER.readTree(body.toJson()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Takes in a cell of this row. The one already known gives again what must stand; an older one
   * the removal under its value of the shard field, unless the row has that.
   *
   * @throws MisfitException if a field does not fit: the cell does not count for this index,
   *     whatever its ref_key
   */
  public Change apply(String columnName, long refKey, JsonNode body) throws MisfitException {
    int column = definition.columnOf(columnName);
    if (column < 0) {
      return nothing();
    }
    var projected = definition.columns().get(column).project(body);
    var known = versions.get(column);
    if (known != null && known > refKey) {
      return column == 0 ? older(refKey, projected.get(0)) : nothing();
    }
    if (known != null && known == refKey) {
      return new Change(this, standing(), true);
    }
    var next = with(column, refKey, projected);
    var entries = new ArrayList<IndexEntry>();
    next.entry().ifPresent(entries::add);
    var before = values.get(0);
    if (before != null && !before.equals(next.values.get(0))) {
      entries.add(next.removal(before));
    }
    return new Change(next, List.copyOf(entries), true);
  }

  /** A cell that came late, or again: an entry under its value may stand, and is not to. */
  private Change older(long refKey, String value) {
    if (value == null || value.equals(values.get(0))) {
      return nothing();
    }
    var next =
        new IndexRow(definition, rowKey, versions, values, left.with(value, refKey, values.get(0)));
    return new Change(next, List.of(removal(value)), true);
  }

  private Change nothing() {
    return new Change(this, List.of(), false);
  }

  /** The entry of this row, if its shard field has a value. */
  public Optional<IndexEntry> entry() {
    return values.get(0) == null
        ? Optional.empty()
        : Optional.of(new IndexEntry(rowKey, versions, values, false));
  }

  /**
   * The stored form: the numbers of columns, with a mark, and fields, a byte each; per column a
   * byte that says whether a version follows, and that; the texts of the fields; how many values
   * were left, in four bytes, and their ref_keys and texts. A text is its length in two bytes and
   * its UTF-8.
   */
  public byte[] toBytes() {
    var bytes = new ByteArrayOutputStream(256);
    try (var out = new DataOutputStream(bytes)) {
      out.writeByte(DATED | versions.size());
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
      out.writeInt(left.newestFirst().size());
      for (var one : left.newestFirst()) {
        out.writeLong(one.refKey());
        write(out, one.value());
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
      byte form = in.get();
      boolean dated = (form & DATED) != 0;
      if ((form & ~DATED) != columns || in.get() != fields) {
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
      var left = LeftValues.of(left(in, dated), values.get(0));
      if (in.hasRemaining()) {
        throw damaged();
      }
      return new IndexRow(definition, rowKey, versions, values, left);
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw damaged();
    }
  }

  private static IllegalStateException damaged() {
    return new IllegalStateException("the state of an index row is damaged");
  }

  /** The older form has them in the order in which they were left, without their ref_keys. */
  private static List<Left> left(ByteBuffer in, boolean dated) {
    var left = new ArrayList<Left>();
    for (int i = in.getInt(); i > 0; i--) {
      long refKey = dated ? in.getLong() : Long.MIN_VALUE;
      var value = read(in);
      if (value == null) {
        throw damaged();
      }
      left.add(new Left(value, refKey));
    }
    if (!dated) {
      Collections.reverse(left);
    }
    return left;
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
    return new IndexRow(definition, rowKey, nextVersions, nextValues, leftFor(nextValues.get(0)));
  }

  /** The values that were left once the row has the next one, which may be null. */
  private LeftValues leftFor(String next) {
    return versions.get(0) == null || Objects.equals(next, values.get(0))
        ? left
        : left.with(values.get(0), versions.get(0), next);
  }

  private List<IndexEntry> standing() {
    var entries = new ArrayList<IndexEntry>();
    entry().ifPresent(entries::add);
    left.newestFirst().forEach(one -> entries.add(removal(one.value())));
    return List.copyOf(entries);
  }

  private IndexEntry removal(String shardValue) {
    return IndexEntry.removal(rowKey, versions, shardValue, values.size());
  }
}
