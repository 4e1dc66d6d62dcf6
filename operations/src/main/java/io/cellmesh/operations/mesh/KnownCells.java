package io.cellmesh.operations.mesh;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.deployment.DataCenter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks up single cells of an origin in the topics of a data centre: in its mesh topic, or else in
 * its log. Each costs the reading of a partition.
 *
 * @param origin the data centre that wrote them first
 * @param holder the one whose topics are read
 */
record KnownCells(String origin, DataCenter holder) {

  /**
   * Finds a cell of each of some shards.
   *
   * @param ids their origin_ids, by shard
   * @return those that the topics still have
   */
  Map<Integer, RangeCells.Found> find(Map<Integer, Long> ids) {
    var found = new HashMap<Integer, RangeCells.Found>();
    var shards = holder.topology().shards();
    for (var source : List.of(FoldSource.MESH, FoldSource.LOG)) {
      byPartition(ids, shards)
          .forEach((partition, of) -> found.putAll(find(source, partition, of, found)));
    }
    return found;
  }

  private static Map<Integer, List<Map.Entry<Integer, Long>>> byPartition(
      Map<Integer, Long> ids, Shards shards) {
    return ids.entrySet().stream().collect(groupingBy(shard -> shards.partitionOf(shard.getKey())));
  }

  private Map<Integer, RangeCells.Found> find(
      FoldSource source,
      int partition,
      List<Map.Entry<Integer, Long>> ids,
      Map<Integer, RangeCells.Found> known) {
    var wanted =
        ids.stream()
            .filter(shard -> !known.containsKey(shard.getKey()))
            .collect(
                toMap(
                    Map.Entry::getKey,
                    id -> List.of(new IdRange(id.getKey(), id.getValue(), id.getValue()))));
    if (wanted.isEmpty()) {
      return Map.of();
    }
    var cells = new RangeCells(origin, wanted);
    var topic = Holdings.topic(holder.topology().topics(), source);
    try (var topics = new TopicClients()) {
      cells.read(topics, holder, topic, source, partition);
    }
    var found = new HashMap<Integer, RangeCells.Found>();
    for (int shard : wanted.keySet()) {
      cells.of(shard).values().forEach(cell -> found.put(shard, cell));
    }
    return found;
  }
}
