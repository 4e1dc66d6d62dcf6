package io.cellmesh.connect.source;

import io.cellmesh.cell.ShardSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The databases of a cluster's shards, as a regular expression and back. */
final class ShardDatabases {
  private static final int DIGITS = 4;

  private ShardDatabases() {}

  /**
   * A pattern of exactly the databases of these shards. It grows with the number of ranges, not of
   * shards: whole blocks of ten, a hundred or a thousand become wildcards.
   */
  static String pattern(String instance, ShardSet shards) {
    var blocks = new ArrayList<String>();
    for (var range : shards.ranges()) {
      addBlocks(range.first(), range.last(), blocks);
    }
    return instance + "_(" + String.join("|", blocks) + ")";
  }

  /** The shard of a database that {@link #pattern} matches. */
  static int shardOf(String database) {
    return Integer.parseInt(database, database.length() - DIGITS, database.length(), 10);
  }

  private static void addBlocks(int first, int last, List<String> blocks) {
    for (int shard = first; shard <= last; ) {
      int wild = 0;
      int size = 1;
      while (wild < DIGITS && shard % (size * 10) == 0 && shard + size * 10 - 1 <= last) {
        wild++;
        size *= 10;
      }
      var digits = String.format(Locale.ROOT, "%04d", shard);
      blocks.add(digits.substring(0, DIGITS - wild) + "\\d".repeat(wild));
      shard += size;
    }
  }
}
