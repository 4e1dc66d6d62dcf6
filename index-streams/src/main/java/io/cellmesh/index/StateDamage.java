package io.cellmesh.index;

import java.util.Optional;
import java.util.OptionalInt;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Why the state of a pass can't be read.
 *
 * @param what without values
 * @param partition of the changelog, if it is known
 * @param onDisk whether the local files themselves are damaged, not what was stored in them
 */
record StateDamage(String what, OptionalInt partition, boolean onDisk) {

  /** Finds it among the causes of a failure. */
  static Optional<StateDamage> in(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof DamagedStateException damaged) {
        return Optional.of(
            new StateDamage(damaged.getMessage(), OptionalInt.of(damaged.partition()), false));
      }
      if (cause instanceof RocksDBException broken && isDamage(broken)) {
        return Optional.of(
            new StateDamage("RocksDB: " + broken.getMessage(), OptionalInt.empty(), true));
      }
    }
    return Optional.empty();
  }

  /** A full disk, or files that another process holds, are no damage. */
  private static boolean isDamage(RocksDBException broken) {
    var code = broken.getStatus() == null ? null : broken.getStatus().getCode();
    return code == Status.Code.Corruption
        || code == Status.Code.InvalidArgument
        || String.valueOf(broken.getMessage()).contains("No such file");
  }
}
