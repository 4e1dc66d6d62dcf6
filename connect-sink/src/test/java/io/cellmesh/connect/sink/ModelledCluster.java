package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.Position;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** One primary's tables and minion, and all copies that others hold of its cells. */
final class ModelledCluster {
  final StorageCluster cluster;
  private final int number;
  private final int clusters;
  boolean up = true;
  Position position = Position.START;
  Position replicated = Position.START;
  final Map<IngestTopic, SortedSet<Long>> entity = new EnumMap<>(IngestTopic.class);
  final List<HeldCopy> copies = new ArrayList<>();

  /**
   * @param number among so many clusters
   */
  ModelledCluster(StorageCluster cluster, int number, int clusters) {
    this.cluster = cluster;
    this.number = number;
    this.clusters = clusters;
    for (var topic : IngestTopic.values()) {
      entity.put(topic, new TreeSet<>());
    }
  }

  /**
   * A copy of this primary's cells.
   *
   * @param holder the secondary, without which it can't be read
   */
  record HeldCopy(
      ModelledCluster holder, IngestTopic topic, long previous, Mark end, SortedSet<Long> cells) {}

  /** The transaction: nothing is written unless the position is the expected one. */
  boolean write(Position expected, Position next, Map<IngestTopic, SortedSet<Long>> cells) {
    if (!position.equals(expected)) {
      return false;
    }
    cells.forEach(
        (topic, offsets) -> {
          var stored = entity.get(topic);
          assertThat(offsets.isEmpty() || stored.isEmpty() || offsets.first() > stored.last())
              .as("%s in order: %s after %s", cluster.name(), offsets, stored)
              .isTrue();
          stored.addAll(offsets);
        });
    position = next;
    return true;
  }

  void replicate() {
    replicated = position;
    copies.removeIf(copy -> copy.end().next() <= replicated.of(copy.topic()));
  }

  /** The minion takes over; what it lacks is gone. */
  void promote() {
    position = replicated;
    for (var topic : IngestTopic.values()) {
      entity.get(topic).tailSet(position.of(topic)).clear();
    }
  }

  /** Whether the cell of a record is this primary's. */
  boolean owns(long offset) {
    return Math.floorMod(Long.hashCode(offset * 0x9E3779B97F4A7C15L), clusters) == number;
  }

  boolean holds(IngestTopic topic, long offset) {
    return entity.get(topic).contains(offset)
        || copies.stream().anyMatch(c -> c.topic() == topic && c.cells().contains(offset));
  }

  /** The copy that reaches farthest from a position. */
  HeldCopy next(IngestTopic topic) {
    HeldCopy best = null;
    for (var copy : copies) {
      boolean joins =
          copy.topic() == topic
              && copy.previous() <= position.of(topic)
              && copy.end().next() > position.of(topic);
      if (copy.holder().up && joins && (best == null || best.end().next() < copy.end().next())) {
        best = copy;
      }
    }
    return best;
  }
}
