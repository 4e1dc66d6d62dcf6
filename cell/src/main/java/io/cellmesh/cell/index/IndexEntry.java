package io.cellmesh.cell.index;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * What an index says about one row under one value of the shard field.
 *
 * <p>Its identity is the shard field's value together with the row. Of two entries with one
 * identity the one whose versions are nowhere lower counts; a table that holds to this ends the
 * same whatever the order and the duplicates of delivery. That is why a removal is an entry too,
 * with the versions that removed it, and stays for good.
 *
 * @param rowKey the row
 * @param versions per column of the definition the ref_key of the cell that counts, or null while
 *     there is none
 * @param values per field of the definition its canonical text, or null; the first is the shard
 *     field's and never null. A removal carries no other
 * @param removed whether the row has left this value of the shard field
 */
public record IndexEntry(UUID rowKey, List<Long> versions, List<String> values, boolean removed) {
  public IndexEntry {
    Objects.requireNonNull(rowKey, "rowKey");
    versions = Collections.unmodifiableList(new ArrayList<>(versions));
    values = Collections.unmodifiableList(new ArrayList<>(values));
    Objects.requireNonNull(values.get(0), "the shard field's value");
  }

  static IndexEntry removal(UUID rowKey, List<Long> versions, String shardValue, int fields) {
    var values = new ArrayList<String>(Collections.nCopies(fields, null));
    values.set(0, shardValue);
    return new IndexEntry(rowKey, versions, values, true);
  }

  /** The canonical text of the shard field: {@code Shards.of} of it is the entry's shard. */
  public String shardValue() {
    return values.get(0);
  }

  /** Whether this entry counts where the other one stands: none of its versions is lower. */
  public boolean supersedes(IndexEntry other) {
    for (int i = 0; i < versions.size(); i++) {
      var mine = versions.get(i);
      var theirs = other.versions.get(i);
      if (theirs != null && (mine == null || mine < theirs)) {
        return false;
      }
    }
    return true;
  }
}
