package io.cellmesh.cli.commands;

import io.cellmesh.cell.Topology;
import io.cellmesh.operations.instance.TopicPlan;
import io.cellmesh.topics.LogShape;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say how the topics of an instance are made. */
final class TopicOptions {
  @Option(
      names = "--replication-factor",
      paramLabel = "N",
      description = "Of the topics (default: the brokers' own).")
  private Optional<Short> replication = Optional.empty();

  @Option(
      names = "--shard-topics",
      paramLabel = "SHAPE",
      defaultValue = "partition",
      description =
          "The log: partition for one topic whose partitions share the shards (default), or topic "
              + "for a topic each shard, which neither index-streams nor herb-replicator reads.")
  private LogShape shape;

  /** Whether they ask for anything but what is usual. */
  boolean areGiven() {
    return replication.isPresent() || shape != LogShape.PARTITION;
  }

  TopicPlan plan(Topology topology) {
    return new TopicPlan(
        topology.topics(), topology.shards(), shape, replication.orElse((short) -1));
  }
}
