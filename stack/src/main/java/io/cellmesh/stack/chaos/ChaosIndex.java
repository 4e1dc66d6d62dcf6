package io.cellmesh.stack.chaos;

import io.cellmesh.operations.IndexFile;

/**
 * The index of a stack under fire. The shard field changes with each cell of a row, so that its
 * entry moves from shard to shard.
 */
public final class ChaosIndex {
  /** How many values the shard field has. */
  private static final int OWNERS = 97;

  /** What is to be kept. */
  public static final IndexFile FILE =
      IndexFile.of(
          """
          table: chaos_index
          datastore: trips
          column_defs:
            - column_key: BASE
              fields:
                - {field: owner, type: string}
                - {field: ref, type: integer}
          """);

  private ChaosIndex() {}

  /** The value of the shard field in a cell. */
  static String owner(long ref) {
    return "owner " + Math.floorMod(ref, OWNERS);
  }
}
