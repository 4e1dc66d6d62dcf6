package io.cellmesh.e2e.log;

import io.cellmesh.cell.Shards;
import java.util.Random;
import java.util.UUID;

/** Row keys drawn at random. */
final class RowKeys {
  private final Random random;

  RowKeys(long seed) {
    this.random = new Random(seed);
  }

  UUID next() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  UUID next(Shards shards, int shard) {
    while (true) {
      var row = next();
      if (shards.of(row) == shard) {
        return row;
      }
    }
  }
}
