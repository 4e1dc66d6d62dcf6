package io.cellmesh.operations.verify;

import io.cellmesh.cell.index.IndexEntry;
import java.util.UUID;

/** What tells an entry from all others of its index. */
record IndexIdentity(String shardValue, UUID rowKey) {
  static IndexIdentity of(IndexEntry entry) {
    return new IndexIdentity(entry.shardValue(), entry.rowKey());
  }
}
