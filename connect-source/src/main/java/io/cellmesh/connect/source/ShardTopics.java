package io.cellmesh.connect.source;

import io.cellmesh.cell.Topology;
import java.util.Locale;

/** The shapes that the log can have. */
enum ShardTopics {
  /** One topic; a shard's cells are in the partition {@code shard mod P}. */
  PARTITION,
  /** One topic a shard, of one partition. */
  TOPIC;

  static ShardTopics of(String setting) {
    return valueOf(setting.toUpperCase(Locale.ROOT));
  }

  String setting() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The topic of each shard, by its number. */
  String[] topics(Topology topology) {
    var topics = new String[topology.shards().count()];
    for (int shard = 0; shard < topics.length; shard++) {
      topics[shard] = this == TOPIC ? topology.topics().log(shard) : topology.topics().log();
    }
    return topics;
  }

  int partition(Topology topology, int shard) {
    return this == TOPIC ? 0 : topology.shards().partitionOf(shard);
  }
}
