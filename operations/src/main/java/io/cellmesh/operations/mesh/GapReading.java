package io.cellmesh.operations.mesh;

import static java.util.stream.Collectors.groupingBy;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.mesh.RelayPlan.Gap;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What is read at one go to fill gaps: a partition of a topic. */
record GapReading(DataCenter from, FoldSource source, int partition) {

  /**
   * Groups gaps by where they are read.
   *
   * @param holders by their names: all that the gaps are filled from
   */
  static Map<GapReading, List<Gap>> of(
      Collection<Gap> gaps, Map<String, DataCenter> holders, Shards shards) {
    return gaps.stream()
        .collect(
            groupingBy(
                gap ->
                    new GapReading(
                        holders.get(gap.from()), gap.source(), shards.partitionOf(gap.shard()))));
  }

  /** Reads from the first of the gaps on to the end. */
  void read(List<Gap> gaps, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    try (var client = Consumers.open(from.kafka())) {
      var offsets = TopicOffsets.of(client, Holdings.topic(from.topology().topics(), source));
      new PartitionReader(client)
          .read(
              offsets.partition(partition),
              gaps.stream().mapToLong(Gap::start).min().orElseThrow(),
              offsets.end(partition),
              reader::accept);
    }
  }
}
