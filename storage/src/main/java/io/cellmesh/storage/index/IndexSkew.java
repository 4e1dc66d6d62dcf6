package io.cellmesh.storage.index;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.ShardRun;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * How evenly the entries of one version of an index lie on the shards. All entries of one value of
 * the shard field lie on one shard, so few values, or one that many rows have, fill some shards and
 * leave others empty.
 *
 * @param field the shard field
 * @param shards how many shards there are
 * @param entries on all of them, removals left out
 * @param values how many values of the shard field these have
 * @param smallest entries on the shard with the fewest
 * @param largest entries on the shard with the most
 * @param largestShard the shard with the most; the first, if there are several
 * @param frequent the most frequent values, the first first
 */
public record IndexSkew(
    String field,
    int shards,
    long entries,
    long values,
    long smallest,
    long largest,
    int largestShard,
    List<Value> frequent) {
  private static final int LEAST_ENTRIES = 1_000;
  private static final int LEAST_ENTRIES_A_SHARD = 20;
  private static final int SHARD_TIMES_MEAN = 4;
  private static final int VALUE_TIMES_MEAN = 2;

  /** A value of the shard field and how many entries have it. */
  public record Value(String value, long entries) {}

  public IndexSkew {
    frequent = List.copyOf(frequent);
  }

  /**
   * Counts the entries, cluster by cluster, over all connections that the pool has to a server.
   * MySQL reads an index of every shard's table as a whole, and has the socket timeout for each.
   *
   * @param fromMinion read the first minion of each cluster, if there is one
   * @param top how many of the most frequent values are wanted, at least 1; the memory needed is
   *     that of as many for every shard
   */
  public static IndexSkew read(
      IndexDefinition definition, Topology topology, Pools pools, boolean fromMinion, int top)
      throws SQLException {
    var table = new IndexTable(topology.instance(), definition);
    var shares = new ConcurrentSkipListMap<Integer, ShardShare>();
    for (var cluster : topology.clusters()) {
      ShardRun.run(
          pools,
          cluster.reader(fromMinion),
          cluster.shards().stream().boxed().toList(),
          (connection, shard) ->
              shares.put(shard, ShardShare.read(connection, table, definition, shard, top)));
    }
    return of(definition.shardField().name(), shares.values(), top);
  }

  /**
   * @param shares of every shard, by their numbers
   */
  static IndexSkew of(String field, Collection<ShardShare> shares, int top) {
    var bySize = Comparator.comparingLong(ShardShare::entries);
    // Of several that are as large, max takes the last.
    var largest =
        shares.stream()
            .max(bySize.thenComparing(ShardShare::shard, Comparator.reverseOrder()))
            .orElseThrow();
    var frequent =
        shares.stream()
            .flatMap(share -> share.frequent().stream())
            .sorted(Comparator.comparingLong(Value::entries).reversed())
            .limit(top)
            .toList();
    return new IndexSkew(
        field,
        shares.size(),
        shares.stream().mapToLong(ShardShare::entries).sum(),
        shares.stream().mapToLong(ShardShare::values).sum(),
        shares.stream().mapToLong(ShardShare::entries).min().orElseThrow(),
        largest.entries(),
        largest.shard(),
        frequent);
  }

  /** Entries a shard. */
  public double mean() {
    return (double) entries / shards;
  }

  /**
   * Whether a shard has more than {@value #SHARD_TIMES_MEAN} times the mean, or one value alone
   * more than {@value #VALUE_TIMES_MEAN} times. Below {@value #LEAST_ENTRIES} entries, or {@value
   * #LEAST_ENTRIES_A_SHARD} a shard, chance does that, and it is no skew.
   */
  public boolean skewed() {
    return entries >= LEAST_ENTRIES
        && mean() >= LEAST_ENTRIES_A_SHARD
        && (largest > SHARD_TIMES_MEAN * mean() || mostFrequent() > VALUE_TIMES_MEAN * mean());
  }

  /**
   * One sentence with the figures if the index is skewed. It shows a value, so it is for a person's
   * terminal and not for a log.
   */
  public Optional<String> warning() {
    if (!skewed()) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "%s: shard %d, 1 of %d, holds %s of %,d entries, %.1f times the mean; the value \"%s\" alone %s, of %,d values",
            field,
            largestShard,
            shards,
            share(largest),
            entries,
            largest / mean(),
            IndexFields.shortened(frequent.get(0).value()),
            share(mostFrequent()),
            values));
  }

  private long mostFrequent() {
    return frequent.isEmpty() ? 0 : frequent.get(0).entries();
  }

  private String share(long part) {
    return String.format(Locale.ROOT, "%.1f %%", 100.0 * part / entries);
  }
}
