package io.cellmesh.index;

import io.cellmesh.cell.index.IndexDefinition;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The state's records: what all indexes of a pass know about one row, in one record, so that a cell
 * costs one look-up and one write however many they are.
 *
 * <p>A record is four bytes that stand for the definitions, then for each of them a length and the
 * stored form of its row; no row, no bytes.
 */
final class RowStates {
  private final int indexes;
  private final int digest;

  /**
   * @param definitions of the pass, in the order that they keep
   */
  RowStates(List<IndexDefinition> definitions) {
    this.indexes = definitions.size();
    this.digest = definitions.stream().map(IndexDefinition::digest).toList().hashCode();
  }

  /**
   * The stored forms of the rows, by index.
   *
   * @param record null if there is none yet
   * @return null for each index that has no row
   * @throws IllegalStateException if the record is of other definitions, or damaged
   */
  byte[][] split(byte[] record) {
    var rows = new byte[indexes][];
    if (record == null) {
      return rows;
    }
    var from = ByteBuffer.wrap(record);
    if (record.length < Integer.BYTES) {
      throw new IllegalStateException("the state is cut");
    }
    if (from.getInt() != digest) {
      throw new IllegalStateException(
          "the state is of other definitions, but those of a pass never change");
    }
    for (int i = 0; i < indexes; i++) {
      int length = from.remaining() < Integer.BYTES ? -1 : from.getInt();
      if (length < 0 || length > from.remaining()) {
        throw new IllegalStateException("the state is cut, or its lengths are damaged");
      }
      if (length > 0) {
        rows[i] = new byte[length];
        from.get(rows[i]);
      }
    }
    if (from.hasRemaining()) {
      throw new IllegalStateException("the state is longer than its lengths say");
    }
    return rows;
  }

  /** The record of these rows; {@link #split} reads it back. */
  byte[] join(byte[][] rows) {
    int length = Integer.BYTES * (1 + indexes);
    for (var row : rows) {
      length += row == null ? 0 : row.length;
    }
    var record = ByteBuffer.allocate(length).putInt(digest);
    for (var row : rows) {
      record.putInt(row == null ? 0 : row.length);
      if (row != null) {
        record.put(row);
      }
    }
    return record.array();
  }
}
