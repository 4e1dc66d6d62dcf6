package io.cellmesh.e2e.log;

import io.cellmesh.cell.Shards;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.UUID;

/** Row keys drawn at random, none with a backslash or a quote among its bytes. */
final class RowKeys {
  private final Random random;

  RowKeys(long seed) {
    this.random = new Random(seed);
  }

  UUID next() {
    while (true) {
      var row = new UUID(random.nextLong(), random.nextLong());
      if (isPlain(row)) {
        return row;
      }
    }
  }

  UUID next(Shards shards, int shard) {
    while (true) {
      var row = next();
      if (shards.of(row) == shard) {
        return row;
      }
    }
  }

  private static boolean isPlain(UUID row) {
    var bytes =
        ByteBuffer.allocate(16)
            .putLong(row.getMostSignificantBits())
            .putLong(row.getLeastSignificantBits())
            .array();
    for (byte b : bytes) {
      if (b == '\\' || b == '\'') {
        return false;
      }
    }
    return true;
  }
}
