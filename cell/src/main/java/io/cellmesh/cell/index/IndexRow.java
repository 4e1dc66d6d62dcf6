package io.cellmesh.cell.index;

import com.fasterxml.jackson.databind.JsonNode;
import io.cellmesh.cell.Body;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
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
        Collections.nCopies(definition.fields().size(), null),
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

  /** The stored form. */
  public byte[] toBytes() {
    var bytes = new ByteArrayOutputStream(256);
    try {
      ExactJson.MAPPER.writeValue(bytes, List.of(versions, values, former));
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
    var versions = new ArrayList<Long>();
    var values = new ArrayList<String>();
    var former = new LinkedHashSet<String>();
    try {
      var root = ExactJson.MAPPER.readTree(stored);
      root.path(0).forEach(v -> versions.add(v.isNull() ? null : Long.valueOf(v.longValue())));
      root.path(1).forEach(v -> values.add(v.textValue()));
      root.path(2).forEach(v -> former.add(v.textValue()));
    } catch (IOException e) {
      throw new IllegalStateException("the state of an index row is damaged");
    }
    if (versions.size() != definition.columns().size()
        || values.size() != definition.fields().size()) {
      throw new IllegalStateException("the state of an index row is of another definition");
    }
    return new IndexRow(definition, rowKey, versions, values, former);
  }

  private IndexRow with(int column, long refKey, List<String> projected) {
    var nextVersions = new ArrayList<>(versions);
    nextVersions.set(column, refKey);
    var nextValues = new ArrayList<>(values);
    int first = 0;
    for (int i = 0; i < column; i++) {
      first += definition.columns().get(i).fields().size();
    }
    for (int i = 0; i < projected.size(); i++) {
      nextValues.set(first + i, projected.get(i));
    }
    var left = new LinkedHashSet<>(former);
    if (values.get(0) != null) {
      left.add(values.get(0));
    }
    if (nextValues.get(0) != null) {
      left.remove(nextValues.get(0));
    }
    return new IndexRow(definition, rowKey, nextVersions, nextValues, left);
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
